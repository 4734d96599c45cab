// The test's side of the server process: its addresses, its reports, and its exit.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { within } from './within.ts';

const program = fileURLToPath(new URL('../server-process.js', import.meta.url));
const addressesSchema = z.object({ url: z.url(), linePort: z.int() });
const reportSchema = z.object({
  subscribers: z.int(),
  watched: z.int(),
  streams: z.int(),
  sessions: z.int(),
  sockets: z.int(),
  heapBytes: z.int(),
  /** Logged errors, and warnings of Node. */
  complaints: z.array(z.string()),
});

export type Report = z.infer<typeof reportSchema>;
type Question = 'report' | 'weigh' | 'close';

export class Target {
  readonly process: ChildProcess;
  #stderr = '';
  #lastAnswer: Promise<unknown> = Promise.resolve();

  constructor(...args: string[]) {
    this.process = fork(program, args, { stdio: ['pipe', 'pipe', 'pipe', 'ipc'], execArgv: ['--expose-gc'] });
    this.process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-10_000);
    });
  }

  async addresses(): Promise<z.infer<typeof addressesSchema>> {
    return addressesSchema.parse(await this.message());
  }

  /** Also proves that the process runs and is not blocked. */
  async report(): Promise<Report> {
    return this.#ask('report');
  }

  /** The report after a garbage collection. */
  async weigh(): Promise<Report> {
    return this.#ask('weigh');
  }

  /** Closes the server; returns its last report. The process has to end by itself. */
  async close(): Promise<Report> {
    const exited = once(this.process, 'exit');
    const report = await this.#ask('close');
    await within(10_000, 'end of the closed process', exited);
    if (this.process.exitCode !== 0) throw this.#death();
    return report;
  }

  /** Ends the process at the end of a test, also after a failure. */
  kill(): void {
    this.process.kill('SIGKILL');
  }

  /** The next message of the process. */
  async message(): Promise<unknown> {
    const stop = new AbortController();
    const answer = once(this.process, 'message', stop).then(([message]): unknown => message);
    const death = once(this.process, 'exit', stop).then(() => Promise.reject(this.#death()));
    try {
      return await within(15_000, 'sign of life of the server process', Promise.race([answer, death]));
    } finally {
      stop.abort();
      await Promise.allSettled([answer, death]);
    }
  }

  async #ask(question: Question): Promise<Report> {
    // One question at a time, because answers have no id.
    await this.#lastAnswer;
    const answer = this.#send(question);
    this.#lastAnswer = answer.catch(() => undefined);
    return reportSchema.parse(await answer);
  }

  async #send(question: Question): Promise<unknown> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) throw this.#death();
    const answer = this.message();
    // If the channel is closed already, the exit of the process is reported.
    this.process.send(question, () => undefined);
    return answer;
  }

  #death(): Error {
    const { exitCode, signalCode } = this.process;
    return new Error(`The server process died (${exitCode ?? signalCode}).\n${this.#stderr}`);
  }
}
