// The SDK's HTTP transport, for sessions that last and have much to ask. It would tie every request to the
// one signal of the session: in the new era Node keeps a trace of each in it, a hundred bytes for every
// request ever made; in the old one each listens to it until it is collected, which Node warns about for
// every request past 1500. Here each has a signal of its own until its answer has been read.
import {
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from '@modelcontextprotocol/client';
import { passBody } from './pass-body.ts';
import { answeredBy } from './size-guard.ts';

type SendOptions = Parameters<StreamableHTTPClientTransport['send']>[1];

export class HttpTransport extends StreamableHTTPClientTransport {
  /** By the id of a request that is about to be sent: what would end it, if anything. */
  readonly #signals: Map<unknown, AbortSignal | undefined>;
  readonly #underWay: Set<AbortController>;

  constructor(url: URL, options: StreamableHTTPClientTransportOptions & { fetch: typeof fetch }) {
    const signals = new Map<unknown, AbortSignal | undefined>();
    const underWay = new Set<AbortController>();
    super(url, {
      ...options,
      fetch: (input, init) => {
        const id = signals.size > 0 ? answeredBy(init?.body) : undefined;
        if (!signals.has(id)) return options.fetch(input, init);
        return fetchUntil(signals.get(id), underWay, (own) => options.fetch(input, { ...init, signal: own }));
      },
    });
    this.#signals = signals;
    this.#underWay = underWay;
  }

  override async send(message: JSONRPCMessage | JSONRPCMessage[], options?: SendOptions): Promise<void> {
    const { requestSignal, ...rest } = options ?? {};
    // There are few listen streams, and the SDK asks their signal why they ended.
    const isListening = rest.onRequestStreamEnd !== undefined;
    if (isListening || Array.isArray(message) || !('id' in message)) {
      return super.send(message, options);
    }
    this.#signals.set(message.id, requestSignal);
    try {
      await super.send(message, rest);
    } finally {
      this.#signals.delete(message.id);
    }
  }

  override async close(): Promise<void> {
    const closed = super.close();
    for (const request of this.#underWay) request.abort();
    await closed;
  }
}

async function fetchUntil(
  signal: AbortSignal | undefined,
  underWay: Set<AbortController>,
  send: (signal: AbortSignal) => Promise<Response>,
): Promise<Response> {
  const own = new AbortController();
  const abort = () => own.abort(signal?.reason);
  const done = () => {
    underWay.delete(own);
    signal?.removeEventListener('abort', abort);
  };
  underWay.add(own);
  signal?.addEventListener('abort', abort);
  if (signal?.aborted === true) abort();
  try {
    return passBody(await send(own.signal), { ended: done }).response;
  } catch (error) {
    done();
    throw error;
  }
}
