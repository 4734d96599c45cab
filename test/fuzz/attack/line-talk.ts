// The client's side of stdio: writes lines, reads messages.
import type { Readable, Writable } from 'node:stream';
import { SUBSCRIPTION_ID_META_KEY, isJSONRPCRequest } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { Dice } from '../generate/dice.ts';
import { writeJson } from '../generate/json.ts';
import { type Era, type Message, validMessage } from '../generate/valid-messages.ts';
import { judgeMessage, judgeBytes, parseJson } from './judge.ts';
import { within } from './within.ts';

const boundMs = 10_000;
const messageSchema = z.looseObject({
  id: z.unknown().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  error: z.unknown().optional(),
});
const acknowledgedSchema = z.object({
  params: z.object({ _meta: z.object({ [SUBSCRIPTION_ID_META_KEY]: z.unknown() }) }),
});

const cancelledSchema = z.object({ params: z.object({ requestId: z.unknown() }) });

export class LineTalk {
  readonly received: z.infer<typeof messageSchema>[] = [];
  readonly findings: string[] = [];
  isClosed = false;
  readonly #output: Writable;
  readonly #answered = new Set<unknown>();
  /** Ids of valid requests without a response; each counts once, and not after its cancellation. */
  readonly #pending = new Set<unknown>();
  readonly #used = new Set<unknown>();
  #asked = '';
  #rest = Buffer.alloc(0);
  #onNews: () => void = () => undefined;

  /** `input` is the server's output, `output` its input. */
  constructor(input: Readable, output: Writable) {
    this.#output = output;
    const onClose = () => {
      this.isClosed = true;
      this.#onNews();
    };
    input.on('data', (chunk: Buffer) => this.#receive(chunk));
    input.on('end', onClose).on('close', onClose).on('error', onClose);
    output.on('error', onClose);
  }

  write(line: Buffer): void {
    this.#asked += `${line.toString()}\n`;
    for (const each of line.toString().split('\n')) this.#expect(parseJson(each));
    this.#output.write(Buffer.concat([line, Buffer.from('\n')]));
  }

  send(message: Message): void {
    this.write(Buffer.from(writeJson(message)));
  }

  /** Whether a request was answered, or acknowledged as a subscription. */
  hasAnswered(id: unknown): boolean {
    return this.#answered.has(id);
  }

  /** Waits until all required responses have arrived, or the server has closed the connection. */
  async settle(era: Era, probeId: string): Promise<void> {
    const method = era === 'legacy' ? 'ping' : 'server/discover';
    this.send(validMessage(era, method, probeId, new Dice(0, 0)));
    try {
      await this.until('answer', () => this.#pending.size === 0);
    } catch {
      this.#find(`No answer to ${JSON.stringify([...this.#pending])}`);
    }
  }

  /** Resolves when `isDone`, or when the connection is closed. */
  async until(what: string, isDone: () => boolean): Promise<void> {
    const done = new Promise<void>((resolve) => {
      this.#onNews = () => {
        if (this.isClosed || isDone()) resolve();
      };
    });
    this.#onNews();
    await within(boundMs, what, done);
  }

  #expect(message: unknown): void {
    const cancelled = cancelledSchema.safeParse(message).data?.params.requestId;
    this.#used.add(cancelled);
    this.#pending.delete(cancelled);
    if (!isJSONRPCRequest(message)) return;
    // Of two requests with the same id, either may get the other's response.
    if (this.#used.has(message.id)) this.#pending.delete(message.id);
    else this.#pending.add(message.id);
    this.#used.add(message.id);
  }

  #receive(chunk: Buffer): void {
    let bytes = Buffer.concat([this.#rest, chunk]);
    for (let end = bytes.indexOf('\n'); end !== -1; end = bytes.indexOf('\n')) {
      this.#take(bytes.subarray(0, end));
      bytes = bytes.subarray(end + 1);
    }
    this.#rest = bytes;
    this.#onNews();
  }

  #take(line: Buffer): void {
    const json = parseJson(line.toString());
    for (const wrong of [...judgeBytes(this.#asked, line), ...judgeMessage(this.#asked, json)]) {
      this.#find(`An answer ${wrong}: ${line.toString().slice(0, 1000)}`);
    }
    const message = messageSchema.safeParse(json).data;
    if (message === undefined) return;
    this.received.push(message);
    const id = message.id ?? acknowledgedSchema.safeParse(json).data?.params._meta[SUBSCRIPTION_ID_META_KEY];
    this.#answered.add(id);
    this.#pending.delete(id);
  }

  #find(finding: string): void {
    this.findings.push(`${finding}.\n--- asked\n${this.#asked.slice(-3000)}`);
  }
}
