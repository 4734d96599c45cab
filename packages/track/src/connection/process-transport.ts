// MCP over the stdin and stdout of a server process. The SDK's own transport keeps the child in our
// group, ends the connection at a large message, and probes the era with a second child.
import { type JSONRPCMessage, type Transport, parseJSONRPCMessage } from '@modelcontextprotocol/client';
import type { CommandEntry } from '../config/config.ts';
import { LineReader } from './line-reader.ts';
import { type ProcessSurroundings, ServerProcess } from './server-process.ts';
import { answeredId, tooLargeAnswer } from './too-large.ts';

const reportedGarbage = 5;

export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** With `pid` this is how the SDK recognises a server on stdio, which may answer nothing it does not know. */
  readonly stderr = null;
  readonly #entry: CommandEntry;
  readonly #surroundings: ProcessSurroundings;
  readonly #maxMessageBytes: number;
  #process: ServerProcess | undefined;
  #ending: Promise<void> | undefined;
  #garbage = 0;
  /** Why it closed, once it has. */
  reason = 'The server closed the connection.';

  constructor(entry: CommandEntry, surroundings: ProcessSurroundings, maxMessageBytes: number) {
    this.#entry = entry;
    this.#surroundings = surroundings;
    this.#maxMessageBytes = maxMessageBytes;
  }

  /** Whether it has closed, for whatever reason. */
  get isClosed(): boolean {
    return this.#ending !== undefined;
  }

  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  async start(): Promise<void> {
    const server = await ServerProcess.start(this.#entry, this.#surroundings);
    this.#process = server;
    const lines = new LineReader(this.#maxMessageBytes, {
      line: (text) => this.#receive(text),
      tooLong: (head, tail) => this.#refuse(head, tail),
    });
    server.stdout.on('data', (chunk: Buffer) => lines.push(chunk));
    // Half closed is closed: nothing can be answered any more.
    server.stdout.once('end', () => void this.close());
    for (const pipe of [server.stdin, server.stdout]) pipe.on('error', (error) => this.onerror?.(error));
    void server.exited.then((reason) => {
      this.reason = reason;
      return this.close();
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#process?.stdin;
    if (stdin === undefined || !stdin.writable) return Promise.reject(new Error(this.reason));
    return new Promise((resolve) => {
      if (stdin.write(`${JSON.stringify(message)}\n`)) resolve();
      else stdin.once('drain', resolve);
    });
  }

  close(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    const ended = this.#process?.end();
    this.onclose?.();
    await ended;
  }

  #receive(text: string): void {
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(JSON.parse(text));
    } catch {
      this.#garbage += 1;
      if (this.#garbage > reportedGarbage) return;
      this.#surroundings.log.warn(
        { line: text.slice(0, 200) },
        'The server wrote something on stdout that is not MCP.',
      );
      return;
    }
    this.onmessage?.(message);
  }

  #refuse(head: string, tail: string): void {
    const id = answeredId(head, tail);
    this.#surroundings.log.warn({ id, limit: this.#maxMessageBytes }, 'The server sent a message that is too large.');
    if (id !== undefined) this.onmessage?.(tooLargeAnswer(id, this.#maxMessageBytes));
  }
}
