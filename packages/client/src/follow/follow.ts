// Messages for an agent, from the event stream of a hub. Needs no Node.
import { isWebUrl, parsedUrl } from '@tidings/live/portable';
import { foregroundClock } from '@tidings/live/time';
import type { TrackerEvent } from '../contract/event.ts';
import { EventStreamClient } from '../stream/event-stream-client.ts';
import type { InterestOptions } from '../tell/interest.ts';
import { type News, newsOf } from '../tell/news.ts';

/** Which hub and which resources to follow. Default: all of them, from now on. */
export interface FollowOptions extends InterestOptions {
  /** Where the hub is, such as `http://127.0.0.1:7411`. */
  hub: string;
  /** A token of the hub. Default: none, for a hub without tokens and for pages, which have a cookie. */
  token?: string;
  /** Begins after the event with this cursor, to continue an earlier run. Default: with the next event. */
  after?: string | undefined;
  /**
   * Called when the state of the connection changes. `gap`: events may have been missed, which is also an event.
   * `refused`: the hub requires another token. Default: nothing is called.
   */
  onState?: (state: 'connected' | 'reconnecting' | 'refused' | 'gap') => void;
}

const states = { open: 'connected', waiting: 'reconnecting', refused: 'refused' } as const;

/** A message for an agent, with the fields that `updates()` adds. */
export type FollowedNews = News & {
  readonly kind: 'update' | 'removed' | 'gap';
  readonly cursor: string | undefined;
};

/** Runs until `signal`. Each event comes once and in order. Never rejects. */
export function follow(
  options: FollowOptions,
  onNews: (news: FollowedNews) => void,
  signal: AbortSignal,
): Promise<void> {
  const { onState } = options;
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const client = new EventStreamClient({
      clock: foregroundClock,
      request: (cursor, aborted) => requestEvents(cursor, options, aborted),
      state: (state) => {
        if (state !== 'connecting') onState?.(states[state]);
      },
      cursor: options.after,
      event: (event, cursor) => {
        if (event.type === 'handshake') return;
        if (event.type === 'gap') onState?.('gap');
        for (const news of newsOf(event)) onNews({ ...news, kind: kindOf(event), cursor });
      },
    });
    const end = () => {
      client.close();
      resolve();
    };
    signal.addEventListener('abort', end, { once: true });
    client.start();
  });
}

function kindOf({ type }: TrackerEvent): FollowedNews['kind'] {
  if (type === 'gap') return 'gap';
  return type === 'list_changed' ? 'removed' : 'update';
}

function requestEvents(
  cursor: string | undefined,
  { hub, token, servers, uris }: FollowOptions,
  signal: AbortSignal,
): Promise<Response> {
  const url = new URL('/api/mcp/resource-events', hub);
  const query = { server: only(servers), uri: only(uris), after: cursor };
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  const headers = { Accept: 'text/event-stream', ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
  return fetch(url, { headers, credentials: 'same-origin', signal });
}

/** Throws for an invalid address, which would otherwise be retried forever. */
export function assertHub(hub: unknown): void {
  const url = typeof hub === 'string' ? parsedUrl(hub) : undefined;
  if (url !== undefined && isWebUrl(url)) return;
  throw new TypeError(`"hub" must be the address of a hub, such as http://127.0.0.1:7411, and is ${String(hub)}.`);
}

/** The hub filters by one value; several values are filtered here. */
function only(values: readonly string[] | undefined): string | undefined {
  return values?.length === 1 ? values[0] : undefined;
}
