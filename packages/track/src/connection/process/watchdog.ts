// Ends the servers' process groups if this process dies without doing so: a small shell that waits for its stdin to
// close, which happens however this process ends.
import { type ChildProcess, spawn } from 'node:child_process';

/** Reads `+ pid` and `- pid`; at the end of its input it ends the remaining groups. */
const script = `
groups=' '
while read -r sign pid; do
  case "$sign" in
    +) groups="$groups$pid " ;;
    -) groups="\${groups%% "$pid" *} \${groups#* "$pid" }" ;;
  esac
done
for signal in TERM KILL; do
  left=''
  for pid in $groups; do kill -"$signal" -"$pid" 2>/dev/null && left=1; done
  [ -n "$left" ] && sleep 1
done
exit 0
`;

export class Watchdog {
  readonly #guarded = new Set<number>();
  #shell: ChildProcess | undefined;

  /** `pid` leads a process group. */
  guard(pid: number): void {
    this.#guarded.add(pid);
    // Windows has no process groups; servers exit when their stdin closes.
    if (process.platform !== 'win32') this.#tell(`+ ${pid}`);
  }

  forget(pid: number): void {
    if (this.#guarded.delete(pid) && this.#shell) this.#tell(`- ${pid}`);
  }

  close(): void {
    this.#shell?.stdin?.end();
    this.#shell = undefined;
  }

  #tell(line: string): void {
    this.#shell ??= this.#start();
    this.#shell.stdin?.write(`${line}\n`);
  }

  #start(): ChildProcess {
    // In its own session: signals for our terminal or process group must not reach it.
    const shell = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true, env: {} });
    shell.unref();
    const restart = () => {
      if (this.#shell !== shell) return;
      this.#shell = undefined;
      for (const pid of this.#guarded) this.#tell(`+ ${pid}`);
    };
    shell.once('exit', restart);
    shell.on('error', () => undefined);
    shell.stdin.on('error', () => undefined);
    return shell;
  }
}
