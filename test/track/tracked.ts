// A tracker under test, with its event stream over real HTTP.
import { type Server, createServer } from 'node:http';
import { eventually } from '@tidings/live/testing';
import { type ServerEntry, type ServerStatus, type Tracker, type TrackerOptions, openTracker } from '@tidings/track';
import { SseClient } from '../support/sse-client.ts';

const silentLog = { warn: () => undefined, error: () => undefined };

export interface Tracked extends AsyncDisposable {
  tracker: Tracker;
  /** Reads the event stream from before the first event. */
  events: SseClient;
  url: string;
  status(id: string): ServerStatus;
  isLive(id: string): Promise<ServerStatus>;
}

export async function tracked(
  servers: readonly ServerEntry[],
  options: Omit<Partial<TrackerOptions>, 'config'> = {},
): Promise<Tracked> {
  const tracker = await openTracker({ config: { servers, tokens: [] }, log: silentLog, ...options });
  const http = createServer(tracker.events.handle);
  const url = await listen(http);
  const events = await SseClient.open(url);
  const status = (id: string) => tracker.upstream(id).status();
  return {
    tracker,
    events,
    url,
    status,
    isLive: (id) =>
      eventually(`${id} to be live`, () => {
        const now = status(id);
        return now.state === 'live' && now.subscribed + now.polled === now.wanted ? now : undefined;
      }),
    [Symbol.asyncDispose]: async () => {
      events.close();
      await tracker.close();
      await new Promise((resolve) => {
        http.close(resolve);
        http.closeAllConnections();
      });
    },
  };
}

async function listen(http: Server): Promise<string> {
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('It is not listening.');
  return `http://127.0.0.1:${address.port}/api/mcp/resource-events`;
}
