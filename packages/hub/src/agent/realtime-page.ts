// For a page, or any program, that holds a realtime session itself: follows a hub's event stream and puts each
// update into the conversation. Nothing here needs Node; a bundler can take it as it is.
import { updateMessage } from '@tidings/track/update-message';
import { EventSourceParserStream } from 'eventsource-parser/stream';

/** What is used of a `RealtimeSession` of `@openai/agents-realtime`, over WebRTC or WebSocket. */
export interface RealtimeSessionLike {
  transport: { sendEvent(event: { type: string; [field: string]: unknown }): void };
}

export interface TellOptions {
  /** Where the hub is, such as `http://127.0.0.1:7411`. */
  hub: string;
  /** Where cookies do not reach: a token of the hub. */
  token?: string;
  /** Only this server. */
  server?: string;
  /** Only this URI, or those that begin with it, if it ends in `*`. */
  uri?: string;
  /** Called with what happens to the connection. */
  onState?: (state: 'connected' | 'reconnecting' | 'gap') => void;
}

const firstPauseMs = 500;
const longestPauseMs = 15_000;

interface HubEvent {
  type: string;
  serverId?: string;
  resourceUri?: string;
  timestamp?: string;
}

/** Begins to tell; returns how to stop. After a lost connection it goes on where it was: nothing is told twice. */
export function tellRealtimeSession(session: RealtimeSessionLike, options: TellOptions): () => void {
  const ending = new AbortController();
  void follow(session, options, ending.signal);
  return () => ending.abort();
}

async function follow(session: RealtimeSessionLike, options: TellOptions, signal: AbortSignal): Promise<void> {
  let cursor: string | undefined;
  let pauseMs = firstPauseMs;
  while (!signal.aborted) {
    try {
      for await (const { id, data } of eventsAfter(cursor, options, signal)) {
        pauseMs = firstPauseMs;
        handle(session, options, JSON.parse(data));
        // Only now: what could not be put into the conversation comes again.
        cursor = id ?? cursor;
      }
    } catch {
      // The hub is away, or the session did not take it.
    }
    if (signal.aborted) return;
    options.onState?.('reconnecting');
    await pause(pauseMs * (0.5 + Math.random() / 2), signal);
    pauseMs = Math.min(longestPauseMs, pauseMs * 2);
  }
}

async function* eventsAfter(cursor: string | undefined, { hub, token, server, uri }: TellOptions, signal: AbortSignal) {
  const url = new URL('/api/mcp/resource-events', hub);
  for (const [name, value] of Object.entries({ server, uri, after: cursor })) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  const headers = { Accept: 'text/event-stream', ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
  const { body, ok } = await fetch(url, { headers, signal, credentials: 'same-origin' });
  if (!ok || body === null) throw new Error('The hub refused the event stream.');
  yield* body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
}

function handle(session: RealtimeSessionLike, { onState }: TellOptions, event: HubEvent): void {
  const { type, serverId, resourceUri, timestamp } = event;
  if (type === 'handshake') onState?.('connected');
  if (type === 'gap') onState?.('gap');
  if (type !== 'resource_update' || serverId === undefined || resourceUri === undefined || timestamp === undefined)
    return;
  const text = updateMessage({ serverId, resourceUri, timestamp });
  session.transport.sendEvent({
    type: 'conversation.item.create',
    item: { type: 'message', role: 'system', content: [{ type: 'input_text', text }] },
  });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
