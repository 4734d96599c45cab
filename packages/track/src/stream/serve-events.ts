// A small HTTP server for the event stream, for programs that have none.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { stderrLog } from '@tidings/live';
import { HttpListener, createHostGuard, isLoopback, ownHostNames, urlHost } from '@tidings/live/internal';
import type { TrackerLog } from '../base/log.ts';
import type { EventStreamHandler } from './event-stream-handler.ts';

/** Where to listen. Default: a free port of loopback. */
export interface EventServerOptions {
  /** Default: 0, which is any free port. */
  port?: number;
  /** Default: loopback only. */
  host?: string;
  /** The response of `/metrics`. Default: there is none. */
  metrics?: () => Promise<string>;
  /** Where failures are reported. Default: `stderrLog`. */
  log?: TrackerLog;
}

/** A running event stream: its address, and how to close it. */
export interface EventServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** The path of the stream. */
export const eventStreamPath = '/api/mcp/resource-events';

/**
 * Serves the event stream of a tracker over HTTP. Default: a free port of loopback.
 *
 * @example
 * const { url, close } = await serveEvents(tracker.events, { port: 7412 });
 */
export async function serveEvents(events: EventStreamHandler, options: EventServerOptions = {}): Promise<EventServer> {
  const { port = 0, host = '127.0.0.1', metrics, log = stderrLog } = options;
  const isOwnHost = hostCheckAt(host);
  const answer = (req: IncomingMessage, res: ServerResponse) => {
    const path = req.url?.split('?')[0];
    if (!isOwnHost(req)) res.writeHead(403).end('This host is not served here.\n');
    else if (path === eventStreamPath) events.handle(req, res);
    else if (path === '/metrics' && metrics) void answerMetrics(res, metrics, log);
    else res.writeHead(404).end(`Nothing here: events are at ${eventStreamPath}.\n`);
  };
  // Event streams do not end by themselves, so the end does not wait for them.
  const listener = new HttpListener(answer, { graceMs: 0 });
  const bound = await listener.listen(port, host);
  return { url: `http://${urlHost(host)}:${bound.port}${eventStreamPath}`, close: () => listener.close() };
}

async function answerMetrics(res: ServerResponse, metrics: () => Promise<string>, log: TrackerLog): Promise<void> {
  try {
    // Throws for a value that is no text while there can still be another status.
    const text = Buffer.from(await metrics());
    res.writeHead(200, { 'Content-Type': 'text/plain' }).end(text);
  } catch (error) {
    log.error({ err: error }, 'The metrics cannot be read.');
    res.writeHead(500).end('The metrics cannot be read; the log has the reason.\n');
  }
}

/** On loopback, another site's name may resolve to this address (DNS rebinding). Elsewhere any name may lead here. */
function hostCheckAt(host: string): (req: IncomingMessage) => boolean {
  if (!isLoopback(host)) return () => true;
  const assertOwnHost = createHostGuard({ allowedHosts: ownHostNames(host) });
  return (req) => {
    try {
      assertOwnHost(req);
      return true;
    } catch {
      return false;
    }
  };
}
