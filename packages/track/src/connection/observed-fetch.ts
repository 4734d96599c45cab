// The fetch an HTTP session uses. It sees what the SDK keeps to itself: whether the stream that
// notifications come on is open, that the server has forgotten the session, and that an answer is too large.
import { answeredBy, guardSize } from './size-guard.ts';
import { watchBody } from './watch-body.ts';

export interface FetchObserver {
  streamOpened(): void;
  streamEnded(): void;
  /** The server has no such stream (405), or does not give it now. */
  streamRefused(status: number): void;
  /** The server does not know our session any more. */
  sessionGone(): void;
}

export function observedFetch(base: typeof fetch, observer: FetchObserver, maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await send();
    if (init?.method === 'GET') {
      if (response.ok) {
        observer.streamOpened();
        return watchBody(guardSize(response, { maxBytes }), () => observer.streamEnded());
      }
      observer.streamRefused(response.status);
    } else if (response.status === 404 && new Headers(init?.headers).has('mcp-session-id')) {
      observer.sessionGone();
    }
    return guardSize(response, { maxBytes, id: answeredBy(init?.body) });

    async function send(): Promise<Response> {
      try {
        return await base(input, init);
      } catch (error) {
        if (init?.method === 'GET' && init.signal?.aborted !== true) observer.streamRefused(0);
        throw error;
      }
    }
  };
}
