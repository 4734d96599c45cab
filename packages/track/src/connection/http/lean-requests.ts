// The requests of which a session makes thousands, `resources/read` and, in the 2025 era, `resources/subscribe`, sent
// with Node's own client. That takes a tenth of the processor time of `fetch` and the SDK's client. Only plain answers
// are taken: a result, or a refusal. For anything else (another status, a redirect, no answer in time, a broken
// connection) the request is made again the usual way, which knows what such a failure means for the session.
import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { ProtocolError } from '@modelcontextprotocol/client';
import type { Clock } from '@tidings/live';
import { z } from 'zod';
import { LeanAnswer } from './lean-answer.ts';

export interface LeanRequestsDeps {
  url: URL;
  /** As the configuration has them. */
  headers: Record<string, string>;
  clock: Clock;
  /** A request that has waited this long may be on a dead connection. */
  lateMs: number;
  /** What else the server sent along with an answer. */
  receive(this: void, message: unknown): void;
  /** A request that was sent then was answered. */
  answered(this: void, sentAt: number): void;
  /** A request that was sent then got no answer in time. */
  unanswered(this: void, sentAt: number): void;
}

/** What the session has agreed on. */
export interface AgreedFields {
  sessionId?: string | undefined;
  protocolVersion?: string | undefined;
}

export interface LeanRequest {
  method: string;
  params: Readonly<Record<string, unknown>>;
  /** Besides those of every request. */
  headers?: Readonly<Record<string, string>>;
  /** A longer answer is requested again the usual way. */
  mostBytes: number;
}

/** The SDK counts its own requests from 0. */
const firstId = 1_000_000_000;
/** After so many answers to a method in a row that were not plain, it is requested the usual way at once. */
const mostFailures = 3;
/** How long a stream may stay open after its answer. */
const lingerMs = 1000;

const answerSchema = z.object({
  id: z.number(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
});
type Answer = z.infer<typeof answerSchema>;

export class LeanRequests {
  readonly #deps: LeanRequestsDeps;
  readonly #agent: HttpAgent;
  /** By method. */
  readonly #failures = new Map<string, number>();
  #lastId = firstId;
  #isClosed = false;

  constructor(deps: LeanRequestsDeps) {
    this.#deps = deps;
    this.#agent = new (deps.url.protocol === 'https:' ? HttpsAgent : HttpAgent)({ keepAlive: true });
  }

  /** The result; undefined where the server has to be asked the usual way. Rejects where it refuses. */
  async ask(request: LeanRequest, agreed: AgreedFields): Promise<Record<string, unknown> | undefined> {
    const failures = this.#failures.get(request.method) ?? 0;
    if (failures >= mostFailures || this.#isClosed) return undefined;
    const answer = await this.#answerTo(request, agreed);
    const isPlain = answer?.error !== undefined || answer?.result !== undefined;
    this.#failures.set(request.method, isPlain ? 0 : failures + 1);
    if (answer?.error) throw ProtocolError.fromError(answer.error.code, answer.error.message, answer.error.data);
    return answer?.result;
  }

  /** Connections that are kept open may be dead: new ones are made. */
  renew(): void {
    for (const sockets of Object.values(this.#agent.freeSockets)) {
      for (const socket of sockets ?? []) socket.destroy();
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#agent.destroy();
  }

  /** Undefined where there is no plain answer. Never rejects. */
  #answerTo(
    { method, params, headers: more, mostBytes }: LeanRequest,
    { sessionId, protocolVersion }: AgreedFields,
  ): Promise<Answer | undefined> {
    const { url, headers, clock, lateMs, receive, answered, unanswered } = this.#deps;
    this.#lastId += 1;
    const id = this.#lastId;
    const sentAt = clock.now();
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    return new Promise((resolve) => {
      const send = url.protocol === 'https:' ? requestHttps : requestHttp;
      const sent = send(url, {
        method: 'POST',
        agent: this.#agent,
        headers: {
          ...headers,
          Accept: 'application/json, text/event-stream',
          'Accept-Encoding': 'identity',
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
          ...(sessionId !== undefined && { 'Mcp-Session-Id': sessionId }),
          ...(protocolVersion !== undefined && { 'Mcp-Protocol-Version': protocolVersion }),
          ...more,
        },
      });
      let timer = clock.after(lateMs, () => {
        unanswered(sentAt);
        this.renew();
        sent.destroy();
      });
      const take = (message: unknown) => {
        const answer = answerSchema.safeParse(message).data;
        if (answer?.id !== id) return receive(message);
        timer.cancel();
        timer = clock.after(lingerMs, () => sent.destroy());
        answered(sentAt);
        resolve(answer);
      };
      sent.on('response', (response) => {
        const answer = new LeanAnswer(response, mostBytes, take);
        response.on('data', (chunk: Buffer) => void (answer.push(chunk) || sent.destroy()));
        response.on('end', () => void (answer.end() || sent.destroy()));
      });
      // Without a listener the error would end the process; it is handled as a failed request.
      sent.on('error', () => undefined);
      sent.on('close', () => {
        timer.cancel();
        resolve(undefined);
      });
      sent.end(body);
    });
  }
}
