// A server as a child process: in its own process group, so that its children end with it; with a minimal environment;
// its stderr goes to the log, up to a size.
import { systemCode } from '@tidings/live/portable';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { delay, endsWithin, foregroundClock, systemClock } from '@tidings/live/time';
import type { CommandEntry } from '../../config/config.ts';
import type { TrackerLog } from '../../base/log.ts';
import { LineReader } from './line-reader.ts';
import type { StderrTail } from './stderr-tail.ts';
import type { Watchdog } from './watchdog.ts';

export interface ProcessDeps {
  log: Required<TrackerLog>;
  watchdog: Watchdog;
  /** The last lines on stderr of all processes of this server. */
  stderr: StderrTail;
  env: Readonly<Record<string, string | undefined>>;
}

/** How long a server may take to exit after its stdin was closed, and then after SIGTERM. */
const graceMs = { afterStdin: 1000, afterTerm: 1500 };
/** How long the output of an exited server is read. A process that left its group may keep the pipes open. */
const lastOutputMs = 250;
const stderrLimits = { line: 4096, total: 1024 * 1024 };
/** After the total, one chunk is read per interval of this length. */
const stderrRestMs = 20;
const inherited =
  /^(PATH|HOME|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|SystemRoot|SystemDrive|ComSpec|PATHEXT|TEMP|TMP|USERPROFILE|APPDATA|LOCALAPPDATA)$/i;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

export class ServerProcess {
  readonly #child: Child;
  readonly #deps: ProcessDeps;
  readonly #hasGroup = process.platform !== 'win32';
  readonly #stderrLines: LineReader;
  /** Resolves when the process has exited and its output was read, with a sentence about how it ended. */
  readonly exited: Promise<string>;

  private constructor(child: Child, deps: ProcessDeps) {
    this.#child = child;
    this.#deps = deps;
    this.#stderrLines = this.#keepStderr();
    const outputEnd = new Promise<void>((resolve) => child.once('close', () => resolve()));
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        void this.#sweep();
        void endsWithin(foregroundClock, lastOutputMs, outputEnd).then(() => resolve(this.#describeExit(code, signal)));
      });
    });
  }

  static start(entry: CommandEntry, deps: ProcessDeps): Promise<ServerProcess> {
    const child = spawn(entry.command, entry.args, {
      cwd: entry.workingDirectory,
      env: { ...(entry.inheritsAll ? deps.env : inheritedFrom(deps.env)), ...entry.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    return new Promise((resolve, reject) => {
      child.once('error', (error) => reject(cannotStart(entry, error)));
      child.once('spawn', () => {
        if (child.pid !== undefined) deps.watchdog.guard(child.pid);
        // Errors of a running child (such as a failed signal) must not crash this process.
        child.on('error', (error) => deps.log.warn({ err: error }, 'The server process reported an error.'));
        resolve(new ServerProcess(child, deps));
      });
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get stdin(): Writable {
    return this.#child.stdin;
  }

  get stdout(): Readable {
    return this.#child.stdout;
  }

  /** Asks the process to exit, then kills it. Resolves when its whole process group has exited. */
  async end(): Promise<void> {
    this.#child.stdin.end();
    if (!(await endsWithin(foregroundClock, graceMs.afterStdin, this.exited))) {
      this.#signal('SIGTERM');
      if (!(await endsWithin(foregroundClock, graceMs.afterTerm, this.exited))) this.#signal('SIGKILL');
    }
    await this.exited;
    await this.#sweep();
  }

  #sweeping: Promise<void> | undefined;

  /** Ends the child processes that the server left behind. */
  #sweep(): Promise<void> {
    this.#sweeping ??= this.#sweepOnce();
    return this.#sweeping;
  }

  async #sweepOnce(): Promise<void> {
    if (this.#signal('SIGTERM') && this.#hasGroup) {
      const deadline = foregroundClock.now() + graceMs.afterTerm;
      while (foregroundClock.now() < deadline && this.#signal(0)) await delay(foregroundClock, 20);
      this.#signal('SIGKILL');
    }
    await this.exited;
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
    if (this.#child.pid !== undefined) this.#deps.watchdog.forget(this.#child.pid);
  }

  /** Signals the whole group; returns whether a process was left to signal. */
  #signal(signal: NodeJS.Signals | 0): boolean {
    const { pid } = this.#child;
    if (pid === undefined) return false;
    try {
      return process.kill(this.#hasGroup ? -pid : pid, signal);
    } catch {
      return false;
    }
  }

  #keepStderr(): LineReader {
    const { log, stderr } = this.#deps;
    let room = stderrLimits.total;
    const keep = (text: string) => {
      stderr.add(text, this.pid);
      if (room <= 0) return;
      room -= text.length;
      log.info({ stderr: text, pid: this.pid }, 'The server wrote on stderr.');
      if (room <= 0)
        log.warn({ limit: stderrLimits.total }, 'The server writes so much on stderr that the rest is left out.');
    };
    const lines = new LineReader(stderrLimits.line, {
      line: (line) => keep(line.toString('utf8')),
      tooLong: (head) => keep(`${head} …`),
    });
    const { stderr: pipe } = this.#child;
    pipe.on('data', (chunk: Buffer) => {
      lines.push(chunk);
      if (room > 0) return;
      // Discarded output is read slowly.
      pipe.pause();
      systemClock.after(stderrRestMs, () => pipe.resume());
    });
    pipe.on('error', () => undefined);
    return lines;
  }

  #describeExit(code: number | null, signal: NodeJS.Signals | null): string {
    this.#stderrLines.end();
    const how = signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
    const reason = this.#deps.stderr.reasonOf(this.pid);
    return `The server process ${how}.${reason === undefined ? '' : ` It said: ${reason}`}`;
  }
}

function inheritedFrom(env: ProcessDeps['env']): Record<string, string> {
  const kept = Object.entries(env).filter(([name, value]) => inherited.test(name) && value !== undefined);
  return Object.fromEntries(kept.map(([name, value]) => [name, value ?? '']));
}

function cannotStart({ command, workingDirectory }: CommandEntry, error: Error): Error {
  const code = systemCode(error);
  const place = workingDirectory === undefined ? '' : ` in ${workingDirectory}`;
  const why = code === 'ENOENT' ? 'there is no such program on the PATH, or no such folder' : error.message;
  return Object.assign(new Error(`"${command}" could not be started${place}: ${why}.`), { code });
}
