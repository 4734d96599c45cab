// Follows a hub's event stream from anywhere: a page, a program, an agent. Nothing here needs Node; a bundler
// can take it as it is.
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { updateMessage } from '../journal/update-message.ts';

export interface UpdatesOptions {
  /** Where the hub is, such as `http://127.0.0.1:7411`. */
  hub: string;
  /** Where cookies do not reach: a token of the hub. */
  token?: string;
  /** Only this server. */
  server?: string;
  /** Only this URI, or those that begin with it, if it ends in `*`. */
  uri?: string;
  /** Called with what happens to the connection. `gap`: read again what you rely on. */
  onState?: (state: 'connected' | 'reconnecting' | 'gap') => void;
  /** Ends it. */
  signal?: AbortSignal;
}

const firstPauseMs = 500;
const longestPauseMs = 15_000;

interface HubEvent {
  type: string;
  serverId?: string;
  resourceUri?: string;
  timestamp?: string;
}

/**
 * The line for each update, as an agent is to be told it. After a lost connection it goes on where it was:
 * nothing comes twice, nothing is left out.
 */
export async function* updates(options: UpdatesOptions): AsyncGenerator<string, void> {
  const { onState, signal = new AbortController().signal } = options;
  let cursor: string | undefined;
  let pauseMs = firstPauseMs;
  while (!signal.aborted) {
    try {
      for await (const { id, data } of eventsAfter(cursor, options)) {
        pauseMs = firstPauseMs;
        const line = lineOf(JSON.parse(data), onState);
        if (line !== undefined) yield line;
        // Only now: whoever took it has taken it.
        cursor = id ?? cursor;
      }
    } catch {
      // The hub is away.
    }
    if (signal.aborted) return;
    onState?.('reconnecting');
    await pause(pauseMs * (0.5 + Math.random() / 2), signal);
    pauseMs = Math.min(longestPauseMs, pauseMs * 2);
  }
}

async function* eventsAfter(cursor: string | undefined, { hub, token, server, uri, signal }: UpdatesOptions) {
  const url = new URL('/api/mcp/resource-events', hub);
  for (const [name, value] of Object.entries({ server, uri, after: cursor })) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  const headers = { Accept: 'text/event-stream', ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
  const { body, ok } = await fetch(url, { headers, credentials: 'same-origin', ...(signal && { signal }) });
  if (!ok || body === null) throw new Error('The hub refused the event stream.');
  yield* body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
}

function lineOf(
  { type, serverId, resourceUri, timestamp }: HubEvent,
  onState: UpdatesOptions['onState'],
): string | undefined {
  if (type === 'handshake') onState?.('connected');
  if (type === 'gap') onState?.('gap');
  if (type !== 'resource_update' || serverId === undefined || resourceUri === undefined || timestamp === undefined)
    return undefined;
  return updateMessage({ serverId, resourceUri, timestamp });
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
