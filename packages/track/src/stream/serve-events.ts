// A small HTTP server for the event stream, for programs that have none.
import { createServer } from 'node:http';
import type { EventStreamHandler } from './event-stream-handler.ts';

/** Where to listen. Default: a free port of loopback. */
export interface EventServerOptions {
  /** Default: 0, which is any free port. */
  port?: number;
  /** Default: loopback only. */
  host?: string;
  /** The response of `/metrics`. Default: there is none. */
  metrics?: () => Promise<string>;
}

/** A running event stream: its address, and how to close it. */
export interface EventServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** The path of the stream. */
export const eventStreamPath = '/api/mcp/resource-events';
const localNames = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/**
 * Serves the event stream of a tracker over HTTP. Default: a free port of loopback.
 *
 * @example
 * const { url, close } = await serveEvents(tracker.events, { port: 7412 });
 */
export async function serveEvents(events: EventStreamHandler, options: EventServerOptions = {}): Promise<EventServer> {
  const { port = 0, host = '127.0.0.1', metrics } = options;
  const http = createServer((req, res) => {
    const path = req.url?.split('?')[0];
    // Another site's name may resolve to this address (DNS rebinding).
    if (!localNames.test(req.headers.host ?? '') && localNames.test(host))
      res.writeHead(403).end('This host is not served here.\n');
    else if (path === eventStreamPath) events.handle(req, res);
    else if (path === '/metrics' && metrics)
      void metrics().then((text) => res.writeHead(200, { 'Content-Type': 'text/plain' }).end(text));
    else res.writeHead(404).end(`Nothing here: events are at ${eventStreamPath}.\n`);
  });
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, host, resolve);
  });
  const address = http.address();
  const bound = address !== null && typeof address === 'object' ? address.port : port;
  return {
    url: `http://${host}:${bound}${eventStreamPath}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => void http.close(() => resolve()));
      http.closeAllConnections();
      await closed;
    },
  };
}
