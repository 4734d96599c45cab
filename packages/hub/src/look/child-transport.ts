// A server started as a child, spoken to on its stdin and stdout. It leads a process group of its own:
// Ctrl-C reaches only us, and whatever the command starts in turn ends with it.
import { type ChildProcess, spawn } from 'node:child_process';
import { type JSONRPCMessage, ReadBuffer, type Transport, serializeMessage } from '@modelcontextprotocol/client';
import { StderrTail } from './stderr-tail.ts';

const maxMessageBytes = 256 * 1024 * 1024;

/** How long a server may take to end by itself, and then after it was asked to. */
const patienceMs = 700;

/** How long the pipes of a server that has ended are read for what it said last. */
const lastWordsMs = 250;

const hasGroups = process.platform !== 'win32';

export class ChildTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** The end of what the server wrote to stderr. */
  readonly stderr = new StderrTail();
  readonly #command: string;
  readonly #args: readonly string[];
  readonly #buffer = new ReadBuffer({ maxBufferSize: maxMessageBytes });
  readonly #killAtExit = (): void => this.#signal('SIGKILL');
  #child: ChildProcess | undefined;
  #wasStarted = false;
  #ended: Promise<void> = Promise.resolve();

  constructor(command: string, args: readonly string[]) {
    this.#command = command;
    this.#args = args;
  }

  /** Whether there ever was such a process. */
  get wasStarted(): boolean {
    return this.#wasStarted;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): Promise<void> {
    const child = spawn(this.#command, this.#args, { stdio: 'pipe', detached: hasGroups, windowsHide: true });
    this.#child = child;
    process.once('exit', this.#killAtExit);
    this.#ended = new Promise((resolve) => {
      const left = () => this.#left(resolve);
      child.once('exit', () => {
        // The command may have left others behind, which may hold its pipes open.
        this.#signal('SIGTERM');
        setTimeout(left, lastWordsMs);
      });
      child.once('close', left);
      child.once('error', left);
    });
    child.stdout.on('data', (chunk: Buffer) => this.#receive(chunk));
    child.stderr.on('data', (chunk: Buffer) => this.stderr.add(chunk));
    // A server that is gone is noticed by its exit; a broken pipe says the same.
    child.stdin.on('error', () => undefined);
    return new Promise((resolve, reject) => {
      child.once('spawn', () => {
        this.#wasStarted = true;
        resolve();
      });
      child.once('error', reject);
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable) return Promise.reject(new Error('The server has ended.'));
    return new Promise((resolve) => {
      if (stdin.write(serializeMessage(message))) resolve();
      else stdin.once('drain', resolve);
    });
  }

  async close(): Promise<void> {
    this.#child?.stdin?.end();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (await this.#endsWithin(patienceMs)) return;
      this.#signal(signal);
    }
    await this.#ended;
  }

  async #endsWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, ms, false);
    });
    const ended = await Promise.race([this.#ended.then(() => true), late]);
    clearTimeout(timer);
    return ended;
  }

  #left(resolve: () => void): void {
    const child = this.#child;
    if (!child) return;
    this.#signal('SIGKILL');
    this.#child = undefined;
    process.removeListener('exit', this.#killAtExit);
    child.stdout?.destroy();
    child.stderr?.destroy();
    resolve();
    this.onclose?.();
  }

  #signal(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    try {
      process.kill(hasGroups ? -pid : pid, signal);
    } catch {
      // Gone already.
    }
  }

  #receive(chunk: Buffer): void {
    try {
      this.#buffer.append(chunk);
    } catch (error) {
      this.#report(error);
      this.#signal('SIGTERM');
      return;
    }
    for (;;) {
      try {
        const message = this.#buffer.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (error) {
        // Not a message: the next line may be one.
        this.#report(error);
      }
    }
  }

  #report(error: unknown): void {
    this.onerror?.(error instanceof Error ? error : new Error(String(error)));
  }
}
