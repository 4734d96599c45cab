// MCP over the stdin and stdout of a server process. The SDK's own transport keeps the child in our process
// group, closes the connection at a large message, and probes the era with a second child.
import { type JSONRPCMessage, type Transport, parseJSONRPCMessage } from '@modelcontextprotocol/client';
import type { Clock, LiveError } from '@tidings/live';
import { startOf } from '@tidings/live/portable';
import { endsWithin, foregroundClock } from '@tidings/live/time';
import type { CommandEntry } from '../../config/config.ts';
import { isWithinShape } from '../bounds/json-shape.ts';
import { LineReader } from './line-reader.ts';
import { MessageRateLimit, messagesIn } from '../bounds/message-rate-limit.ts';
import { plainMessage } from '../message/plain-message.ts';
import { OpenRequests } from './open-requests.ts';
import { mayHaveBeenMessage, rescueMessage } from './rescue-message.ts';
import { type ProcessDeps, ServerProcess } from './server-process.ts';
import { answeredId, refusedAnswer, tooComplex, tooLarge } from '../bounds/too-large.ts';
import { UnreadableMessage } from '../bounds/unreadable-message.ts';

const reportedFaults = 5;
/** How long a server may take to exit after it closed a pipe until the connection is closed without a reason. */
const exitMs = 500;
/** A request that has waited this long may have been dropped. */
const lateMs = 3000;
/** Unsolicited messages are processed in pieces of this size, with other work in between. */
const pieceBytes = 16 * 1024;

interface ProcessTransportDeps extends ProcessDeps {
  clock: Clock;
  maxMessageBytes: number;
}

export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** `stderr` and `pid` make the SDK treat this as a server on stdio, which may not answer unknown requests. */
  readonly stderr = null;
  readonly #entry: CommandEntry;
  readonly #deps: ProcessTransportDeps;
  readonly #rateLimit: MessageRateLimit;
  #process: ServerProcess | undefined;
  #ending: Promise<void> | undefined;
  #exit: Promise<unknown> | undefined;
  /** The number of invalid messages. */
  #faults = 0;
  #drained: Promise<void> | undefined;
  readonly #open: OpenRequests;
  /** Unsolicited messages since the last count. */
  #unasked = 0;
  /** Why the connection was closed, once it is. */
  reason = 'The server closed the connection.';

  constructor(entry: CommandEntry, deps: ProcessTransportDeps) {
    this.#entry = entry;
    this.#deps = deps;
    this.#rateLimit = new MessageRateLimit(deps.clock);
    this.#open = new OpenRequests(deps.clock, lateMs);
  }

  get isClosed(): boolean {
    return this.#ending !== undefined;
  }

  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  async start(): Promise<void> {
    // A process started after `close` would never be ended.
    if (this.isClosed) throw new Error(this.reason);
    const server = await ServerProcess.start(this.#entry, this.#deps);
    if (this.isClosed) {
      await server.end();
      throw new Error(this.reason);
    }
    this.#process = server;
    const lines = new LineReader(this.#deps.maxMessageBytes, {
      line: (line) => this.#receive(line),
      tooLong: (head, tail) => this.#refuse(head, tail, tooLarge(this.#deps.maxMessageBytes)),
    });
    server.stdout.on('data', (chunk: Buffer) => this.#take(chunk, lines, server));
    // Without stdout no answer can arrive: the connection is closed.
    server.stdout.once('end', () => void this.#closeAfterExit());
    for (const pipe of [server.stdin, server.stdout]) pipe.on('error', (error) => this.onerror?.(error));
    void server.exited.then((reason) => {
      this.reason = reason;
      return this.close();
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#process?.stdin;
    if (stdin === undefined || !stdin.writable) return this.#cannotSend();
    this.#open.sent(message);
    if (stdin.write(`${JSON.stringify(message)}\n`)) return Promise.resolve();
    // A server that keeps sending requests and never reads the answers must not fill our memory.
    if (stdin.writableLength > this.#deps.maxMessageBytes) {
      this.reason = 'The server does not read what it is sent.';
      void this.close();
      return Promise.reject(new Error(this.reason));
    }
    this.#drained ??= new Promise<void>((resolve) => {
      const done = () => {
        stdin.off('drain', done).off('close', done);
        this.#drained = undefined;
        resolve();
      };
      stdin.on('drain', done).on('close', done);
    });
    return this.#drained;
  }

  /**
   * Call it when the server answers again after a silence. It may have lost unanswered requests, so these are sent
   * again with the same id: the first answer counts.
   */
  resend(): void {
    this.#sendAgain(this.#open.all());
  }

  #sendAgain(messages: readonly JSONRPCMessage[]): void {
    const stdin = this.#process?.stdin;
    for (const message of messages) if (stdin?.writable === true) stdin.write(`${JSON.stringify(message)}\n`);
  }

  close(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  /**
   * Of a server that closed a pipe: most exit at once, and how they did is the reason. Resolves when the reason is known
   * or too late; the process may end later.
   */
  async #closeAfterExit(): Promise<void> {
    if (!this.isClosed) {
      this.#exit = this.#process && endsWithin(foregroundClock, exitMs, this.#process.exited);
      this.#ending = Promise.resolve(this.#exit).then(() => this.#end());
    }
    await this.#exit;
  }

  async #cannotSend(): Promise<never> {
    await this.#closeAfterExit();
    throw new Error(this.reason);
  }

  async #end(): Promise<void> {
    const ended = this.#process?.end();
    this.onclose?.();
    await ended;
  }

  /** Handles a chunk in pieces, so that reading can pause while a server sends many unsolicited messages. */
  #take(chunk: Buffer, lines: LineReader, { stdout }: Pick<ServerProcess, 'stdout'>): void {
    const { clock } = this.#deps;
    for (let rest = chunk; rest.length > 0;) {
      const skipped = lines.push(rest.subarray(0, pieceBytes));
      rest = rest.subarray(pieceBytes);
      const unasked = this.#unasked + messagesIn(skipped);
      this.#unasked = 0;
      if (unasked === 0) continue;
      const pauseMs = this.#rateLimit.count(unasked);
      if (pauseMs === 0 && rest.length === 0) return;
      stdout.pause();
      const left = rest;
      const goOn = () => {
        stdout.resume();
        this.#take(left, lines, { stdout });
      };
      if (pauseMs > 0) clock.after(pauseMs, goOn);
      else clock.defer(goOn);
      return;
    }
  }

  #receive(line: Buffer): void {
    if (!isWithinShape(line)) {
      return this.#refuse(line.toString('utf8', 0, 512), line.toString('utf8', line.length - 512), tooComplex());
    }
    const text = line.toString('utf8');
    let message: JSONRPCMessage | undefined;
    try {
      const value: unknown = JSON.parse(text);
      message = plainMessage(value) ?? parseJSONRPCMessage(value);
    } catch {
      this.#report({ line: startOf(text, 200) }, 'The server wrote something on stdout that is not MCP.');
      message = rescueMessage(text);
    }
    if (message === undefined) {
      if (mayHaveBeenMessage(text)) this.onerror?.(new UnreadableMessage('it is mixed with other text.'));
      return;
    }
    const weight = messagesIn(line.length);
    if ('method' in message) this.#unasked += weight;
    else {
      this.#sendAgain(this.#open.overtakenBy(message.id));
      if (message.id === undefined || !this.#open.close(message.id)) return void (this.#unasked += weight);
    }
    this.onmessage?.(message);
  }

  #refuse(head: string, tail: string, refusal: LiveError): void {
    const id = answeredId(head, tail);
    this.#report({ id, reason: refusal.message }, 'The server sent a message that is refused.');
    if (id !== undefined && this.#open.close(id)) this.onmessage?.(refusedAnswer(id, refusal));
    else this.onerror?.(new UnreadableMessage(refusal.message));
  }

  /** Bounded, so that a faulty server cannot fill the log. */
  #report(fields: object, message: string): void {
    this.#faults += 1;
    this.#unasked += 1;
    if (this.#faults <= reportedFaults) this.#deps.log.warn(fields, message);
  }
}
