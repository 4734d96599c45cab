// HTTP with server-sent events as in 2024-11-05: one stream, which is the session, and requests that are posted to the
// address in its first event. Extends the SDK's transport with the limits of all HTTP responses, a timeout for that
// first event, and no second stream: the SDK would open one by itself, in a new session without our handshake.
import { SSEClientTransport, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import type { Clock } from '@tidings/live';
import { withTimeout } from '@tidings/live/time';
import type { UrlEntry } from '../../config/config.ts';
import type { ServerLogin } from '../../login/server-login.ts';
import { withUrlCredentials } from '../error/url-credentials.ts';
import { MessageRateLimit } from '../bounds/message-rate-limit.ts';
import { authorizedFetch } from './authorized-fetch.ts';
import { LargeBodyQueue } from './body/large-body-queue.ts';
import { passBody } from './stream/pass-body.ts';
import { guardSize } from './body/size-guard.ts';

interface SseTransportDeps {
  clock: Clock;
  fetch: typeof fetch;
  login: ServerLogin | undefined;
  maxMessageBytes: number;
  /** How long the server may take to send the address. */
  connectMs: number;
  /** A request has failed in a way that may concern the whole connection. */
  failed(this: void): void;
}

export class SseTransport extends SSEClientTransport {
  readonly #deps: SseTransportDeps;
  readonly #stream: { ended: (() => void) | undefined };

  constructor(entry: UrlEntry, deps: SseTransportDeps) {
    const { url, headers } = withUrlCredentials(entry);
    const stream: { ended: (() => void) | undefined } = { ended: undefined };
    const guarded = guardedFetch(new URL(url).origin, deps, () => stream.ended?.());
    super(new URL(url), { requestInit: { headers }, fetch: guarded });
    this.#deps = deps;
    this.#stream = stream;
  }

  override async start(): Promise<void> {
    const { clock, connectMs } = this.#deps;
    const ended = new Promise<never>((_, reject) => {
      this.#stream.ended = () => {
        // Closes before the SDK opens another stream.
        void this.close();
        reject(new Error('The server ended the event stream before it named the address for requests.'));
      };
    });
    const late = () => new SdkError(SdkErrorCode.RequestTimeout, 'The server has not named the address for requests.');
    try {
      await withTimeout(clock, connectMs, Promise.race([super.start(), ended]), late);
    } catch (error) {
      await this.close();
      throw error;
    }
  }
}

function guardedFetch(
  origin: string,
  { fetch: base, login, clock, maxMessageBytes: maxBytes, failed }: SseTransportDeps,
  ended: () => void,
): typeof globalThis.fetch {
  const fetch = authorizedFetch(base, login, origin);
  const rateLimit = new MessageRateLimit(clock);
  const large = new LargeBodyQueue();
  return async (input, init) => {
    // The server may send another address later, and the SDK uses it before it checks the origin.
    const { origin: requestOrigin } = new URL(input instanceof Request ? input.url : input);
    if (requestOrigin !== origin) throw new Error('The server has named an address of another origin for requests.');
    if (init?.method === 'POST') {
      try {
        const response = await fetch(input, init);
        if (!response.ok) failed();
        return guardSize(response, { maxBytes, rateLimit, large });
      } catch (error) {
        if (init.signal?.aborted !== true) failed();
        throw error;
      }
    }
    const response = await fetch(input, init);
    return passBody(guardSize(response, { maxBytes, rateLimit }), { ended }).response;
  };
}
