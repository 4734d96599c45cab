// The SDK's HTTP transport, for sessions that last. It would join the signal of every request to its own
// with AbortSignal.any, and Node keeps a trace of each in the one that lives on: a hundred bytes for every
// request ever made. Here the two are joined by hand and parted when the answer has been read.
import {
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from '@modelcontextprotocol/client';
import { answeredBy } from './size-guard.ts';
import { watchBody } from './watch-body.ts';

type SendOptions = Parameters<StreamableHTTPClientTransport['send']>[1];

export class HttpTransport extends StreamableHTTPClientTransport {
  /** Of requests that are about to be sent, by their id. */
  readonly #signals: Map<unknown, AbortSignal>;
  readonly #underWay: Set<AbortController>;

  constructor(url: URL, options: StreamableHTTPClientTransportOptions & { fetch: typeof fetch }) {
    const signals = new Map<unknown, AbortSignal>();
    const underWay = new Set<AbortController>();
    super(url, {
      ...options,
      fetch: (input, init) => {
        const signal = init?.method === 'POST' ? signals.get(answeredBy(init.body)) : undefined;
        if (signal === undefined) return options.fetch(input, init);
        return fetchUntil(signal, underWay, (own) => options.fetch(input, { ...init, signal: own }));
      },
    });
    this.#signals = signals;
    this.#underWay = underWay;
  }

  override async send(message: JSONRPCMessage | JSONRPCMessage[], options?: SendOptions): Promise<void> {
    const { requestSignal, ...rest } = options ?? {};
    // There are few listen streams, and the SDK asks their signal why they ended.
    const isListening = rest.onRequestStreamEnd !== undefined;
    if (requestSignal === undefined || isListening || Array.isArray(message) || !('id' in message)) {
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
  signal: AbortSignal,
  underWay: Set<AbortController>,
  send: (signal: AbortSignal) => Promise<Response>,
): Promise<Response> {
  const own = new AbortController();
  const abort = () => own.abort(signal.reason);
  const done = () => {
    underWay.delete(own);
    signal.removeEventListener('abort', abort);
  };
  underWay.add(own);
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  try {
    return watchBody(await send(own.signal), { ended: done }).response;
  } catch (error) {
    done();
    throw error;
  }
}
