// The HTTP server itself: its limits, the address it listens on, and its end.
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { endsWithin, systemClock } from '@tidings/live/time';

export interface HttpLimits {
  connections: number;
  /** Within these times a request must have been received; they do not limit responses and streams. */
  headersMs: number;
  requestMs: number;
}

const usualLimits: HttpLimits = { connections: 20_000, headersMs: 15_000, requestMs: 60_000 };
/** Longer than clients and proxies keep idle connections: a request on a connection that is being closed is lost. */
const keepAliveTimeout = 75_000;
const closeGraceMs = 1000;

export class HttpListener {
  readonly #http: Server;

  constructor(answer: (req: IncomingMessage, res: ServerResponse) => void, limits: Partial<HttpLimits> | undefined) {
    const { connections, headersMs, requestMs } = { ...usualLimits, ...limits };
    // By default Node checks the timeouts twice a minute.
    const timeouts = {
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: headersMs / 3,
    };
    this.#http = createServer({ ...timeouts, keepAliveTimeout }, answer);
    this.#http.maxConnections = connections;
  }

  /** Resolves with the bound address. */
  listen(port: number, host: string): Promise<{ host: string; port: number }> {
    return new Promise((resolve, reject) => {
      this.#http.once('error', reject);
      this.#http.listen(port, host, () => {
        this.#http.off('error', reject);
        const address = this.#http.address();
        if (address !== null && typeof address !== 'string') resolve({ host: address.address, port: address.port });
      });
    });
  }

  /** Accepts no more connections. Resolves when all are closed: those still open after `endStreams` are cut off. */
  async close(endStreams: () => Promise<void>): Promise<void> {
    const closed = new Promise<void>((resolve) => void this.#http.close(() => resolve()));
    await endStreams();
    this.#http.closeIdleConnections();
    if (!(await endsWithin(systemClock, closeGraceMs, closed))) this.#http.closeAllConnections();
    await closed;
  }
}
