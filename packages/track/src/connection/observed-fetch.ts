// The fetch an HTTP session uses. It sees what the SDK keeps to itself: whether the stream that
// notifications come on is open and alive, that the server has forgotten the session, and that an answer
// is too large.
import { answeredBy, guardSize } from './size-guard.ts';
import type { StreamPulse } from './stream-pulse.ts';

interface FetchObserver {
  streamOpened(): void;
  streamEnded(): void;
  /** The server has no such stream (405), or does not give it now. */
  streamRefused(status: number): void;
  /** The server does not know our session any more. */
  sessionGone(): void;
}

export interface ObservedFetchOptions {
  observer: FetchObserver;
  pulse: StreamPulse;
  maxBytes: number;
}

export function observedFetch(base: typeof fetch, options: ObservedFetchOptions): typeof fetch {
  const { observer, pulse, maxBytes } = options;
  return async (input, init) => {
    const isGet = init?.method === 'GET';
    const response = await send();
    const headers = init?.headers instanceof Headers ? init.headers : new Headers(init?.headers);
    if (isGet && response.ok) {
      observer.streamOpened();
      return pulse.watch(guardSize(response, { maxBytes }), () => observer.streamEnded());
    }
    if (isGet) observer.streamRefused(response.status);
    else if (response.status === 404 && headers.has('mcp-session-id')) observer.sessionGone();
    const guarded = guardSize(response, { maxBytes, id: answeredBy(init?.body) });
    return headers.get('mcp-method') === 'subscriptions/listen' ? pulse.watch(guarded, () => undefined) : guarded;

    async function send(): Promise<Response> {
      try {
        return await base(input, init);
      } catch (error) {
        if (isGet && init.signal?.aborted !== true) observer.streamRefused(0);
        throw error;
      }
    }
  };
}
