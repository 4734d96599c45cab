// Follows a hub's event stream, with its own cursor: after a lost connection it continues where it stopped.
// Needs no Node; a bundler can use it as it is.
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { Backoff, delay, foregroundClock } from '@tidings/live/time';
import type { InterestOptions } from '../tell/interest.ts';
import { type News, newsOf } from '../tell/news.ts';

export interface FollowOptions extends InterestOptions {
  /** Where the hub is, such as `http://127.0.0.1:7411`. */
  hub: string;
  /** A token of the hub, if there is no cookie. */
  token?: string;
  /**
   * Called when the state of the connection changes. `gap`: events may have been missed, which is also an event.
   * `refused`: the hub requires another token.
   */
  onState?: (state: 'connected' | 'reconnecting' | 'refused' | 'gap') => void;
}

const pauses = { firstMs: 500, longestMs: 15_000 };
/** Two and a half heartbeats of the hub: a connection that is silent for longer is dead. */
const silenceMs = 38_000;

/** Runs until `signal`. Each event comes once and in order. Never rejects. */
export async function follow(options: FollowOptions, hear: (news: News) => void, signal: AbortSignal): Promise<void> {
  const { onState } = options;
  let cursor: string | undefined;
  const backoff = new Backoff(pauses);
  while (!signal.aborted) {
    let isRefused = false;
    try {
      for await (const { id, data } of framesAfter(cursor, options, signal)) {
        backoff.reset();
        const event = parsed(data);
        if (event.type === 'handshake') onState?.('connected');
        if (event.type === 'gap') onState?.('gap');
        for (const news of newsIn(event)) hear(news);
        cursor = id ?? cursor;
      }
    } catch (error) {
      // Whatever the error, the next attempt shows whether it persists.
      isRefused = error instanceof AccessRefused;
    }
    if (signal.aborted) return;
    onState?.(isRefused ? 'refused' : 'reconnecting');
    await delay(foregroundClock, backoff.next(), signal);
  }
}

class AccessRefused extends Error {}

async function* framesAfter(cursor: string | undefined, options: FollowOptions, signal: AbortSignal) {
  const { hub, token, servers, uris } = options;
  const url = new URL('/api/mcp/resource-events', hub);
  const query = { server: only(servers), uri: prefixIn(only(uris)), after: cursor };
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  const headers = { Accept: 'text/event-stream', ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
  const connection = new AbortController();
  const end = () => connection.abort();
  signal.addEventListener('abort', end);
  let silence = foregroundClock.after(silenceMs, end);
  const heard = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      silence.cancel();
      silence = foregroundClock.after(silenceMs, end);
      controller.enqueue(chunk);
    },
  });
  try {
    const answer = await fetch(url, { headers, credentials: 'same-origin', signal: connection.signal });
    if (answer.status === 401 || answer.status === 403) throw new AccessRefused();
    if (!answer.ok || answer.body === null) throw new Error('The hub has no event stream just now.');
    const frames = answer.body
      .pipeThrough(heard)
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream())
      .getReader();
    // Not every browser iterates over a stream.
    for (let next = await frames.read(); !next.done; next = await frames.read()) yield next.value;
  } finally {
    silence.cancel();
    signal.removeEventListener('abort', end);
    end();
  }
}

/** The hub filters by one value; several are filtered here. */
function only(values: readonly string[] | undefined): string | undefined {
  return values?.length === 1 ? values[0] : undefined;
}

/** What the hub accepts as a filter: a URI, or the beginning of one. */
function prefixIn(pattern: string | undefined): string | undefined {
  const beginning = pattern?.replace(/\*\*$/, '');
  if (pattern === undefined || beginning === undefined || beginning.includes('*')) return undefined;
  return beginning === pattern ? pattern : `${beginning}*`;
}

type Loose = Partial<Record<'type' | 'serverId' | 'resourceUri' | 'removed' | 'timestamp', unknown>>;

function parsed(data: string): Loose {
  const value: unknown = JSON.parse(data);
  return typeof value === 'object' && value !== null ? value : {};
}

/** A hub of another version may send other events or fields: unknown ones are ignored. */
function newsIn({ type, serverId, resourceUri, removed, timestamp }: Loose): News[] {
  if (typeof timestamp !== 'string') return [];
  if (type === 'gap') return newsOf({ type, timestamp, ...(typeof serverId === 'string' && { serverId }) });
  if (typeof serverId !== 'string') return [];
  if (type === 'resource_update' && typeof resourceUri === 'string') {
    return newsOf({ type, serverId, resourceUri, timestamp });
  }
  if (type !== 'list_changed' || !Array.isArray(removed)) return [];
  const gone = removed.filter((uri) => typeof uri === 'string');
  return newsOf({ type, serverId, added: [], removed: gone, timestamp });
}
