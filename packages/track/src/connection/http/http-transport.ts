// The SDK's HTTP transport, for long sessions with many requests. The SDK ties every request to the session's
// one abort signal: in the modern era Node keeps about a hundred bytes in it for every request ever made; in the
// 2025 era each request adds a listener until it is collected, and Node warns past 1500. Here each request has
// its own signal until its answer has been read.
import {
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import { withOwnSignal } from './body/own-signal.ts';
import { type Envelope, envelopeOf } from './direct/plain-read.ts';
import { requestIdIn } from './body/size-guard.ts';

const mostAnswers = 64;
const cancelledSchema = z.object({
  method: z.literal('notifications/cancelled'),
  params: z.object({ requestId: z.union([z.string(), z.number()]) }),
});

type SendOptions = Parameters<StreamableHTTPClientTransport['send']>[1];

export class HttpTransport extends StreamableHTTPClientTransport {
  /** The caller's abort signals, by the ids of requests that are about to be sent. */
  readonly #signals: Map<unknown, AbortSignal | undefined>;
  readonly #underWay: Map<unknown, AbortController>;
  /** The `_meta` with which the SDK describes this client to a server of 2026-07-28, once a health check was sent. */
  envelope: Envelope | undefined;
  /** Number of answers to the server's requests that are being sent. */
  #answering = 0;

  constructor(url: URL, options: StreamableHTTPClientTransportOptions & { fetch: typeof fetch }) {
    const signals = new Map<unknown, AbortSignal | undefined>();
    const underWay = new Map<unknown, AbortController>();
    super(url, {
      ...options,
      fetch: (input, init) => {
        const id = signals.size > 0 ? requestIdIn(init?.body) : undefined;
        if (!signals.has(id)) return options.fetch(input, init);
        return withOwnSignal({ signal: signals.get(id), done: () => underWay.delete(id) }, (own) => {
          underWay.set(id, own);
          return options.fetch(input, { ...init, signal: own.signal });
        });
      },
    });
    this.#signals = signals;
    this.#underWay = underWay;
  }

  override async send(message: JSONRPCMessage | JSONRPCMessage[], options?: SendOptions): Promise<void> {
    const { requestSignal, ...rest } = options ?? {};
    // Listen streams keep their signal: there are few, and the SDK reads its abort reason.
    const isListening = rest.onRequestStreamEnd !== undefined;
    if (!Array.isArray(message) && !('method' in message)) return this.#answer(message, options);
    if (isListening || Array.isArray(message) || !('id' in message)) {
      const sent = super.send(message, options);
      // After a cancellation nothing waits for the answer.
      const cancelled = Array.isArray(message) ? undefined : cancelledSchema.safeParse(message).data?.params.requestId;
      if (cancelled !== undefined) this.#underWay.get(cancelled)?.abort();
      return sent;
    }
    this.envelope = envelopeOf(message) ?? this.envelope;
    this.#signals.set(message.id, requestSignal);
    try {
      await super.send(message, rest);
    } finally {
      this.#signals.delete(message.id);
    }
  }

  override async close(): Promise<void> {
    const closed = super.close();
    for (const request of this.#underWay.values()) request.abort();
    await closed;
  }

  /** Bounded, because each answer is an HTTP request: a server may keep sending requests and accept no answers. */
  async #answer(message: JSONRPCMessage, options: SendOptions): Promise<void> {
    if (this.#answering >= mostAnswers)
      throw new Error(`The server has accepted none of the last ${mostAnswers} answers.`);
    this.#answering += 1;
    try {
      await super.send(message, options);
    } finally {
      this.#answering -= 1;
    }
  }
}
