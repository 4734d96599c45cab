// A tracker under test, with its event stream over real HTTP.
import { eventually } from '@tidings/live/testing';
import { type ServerEntry, type Tracker, type TrackerOptions, openTracker, serveEvents } from '@tidings/track';
import type { ServerStatus } from '@tidings/client/contract';
import { SseClient } from '../support/wire/sse-client.ts';

const silentLog = { warn: () => undefined, error: () => undefined };

export interface Tracked extends AsyncDisposable {
  tracker: Tracker;
  /** Reads the event stream from the beginning. */
  events: SseClient;
  url: string;
  status(id: string): ServerStatus;
  /** Waits until the server is connected and all wanted subscriptions are active. */
  isLive(id: string): Promise<ServerStatus>;
}

export async function tracked(
  servers: readonly ServerEntry[],
  options: Omit<Partial<TrackerOptions>, 'config'> = {},
): Promise<Tracked> {
  const tracker = await openTracker({ config: { servers, tokens: [] }, log: silentLog, ...options });
  // Includes events of the time while the stream is opened.
  const { cursor } = tracker.journal;
  const http = await serveEvents(tracker.events);
  const events = await SseClient.open(`${http.url}?after=${encodeURIComponent(cursor)}`);
  const status = (id: string) => tracker.upstream(id).status();
  return {
    tracker,
    events,
    url: http.url,
    status,
    isLive: (id) =>
      eventually(`${id} to be live`, () => {
        const now = status(id);
        return now.state === 'live' && now.subscribed + now.polled === now.wanted ? now : undefined;
      }),
    [Symbol.asyncDispose]: async () => {
      events.close();
      await tracker.close();
      await http.close();
    },
  };
}
