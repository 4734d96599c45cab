// The HTTP server of every program here: the address it listens on, its limits, and its end.
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { type Clock, systemClock } from '../time/clock.ts';
import { endsWithin } from '../time/timeout.ts';

export interface HttpLimits {
  connections: number;
  /** Within these times a request must have been received; they do not limit responses and streams. */
  headersMs: number;
  requestMs: number;
}

interface HttpListenerOptions {
  clock?: Clock;
  /** Default: those of Node. */
  limits?: HttpLimits;
  /** How long the end waits for open responses. */
  graceMs?: number;
}

/** Longer than clients and proxies keep idle connections: a request on a connection that is being closed is lost. */
const keepAliveTimeout = 75_000;

export class HttpListener {
  readonly #http: Server;
  readonly #clock: Clock;
  readonly #graceMs: number;

  constructor(
    answer: (req: IncomingMessage, res: ServerResponse) => void,
    { clock = systemClock, limits, graceMs = 1000 }: HttpListenerOptions = {},
  ) {
    this.#http = createServer({ ...(limits && timeoutsOf(limits)), keepAliveTimeout }, answer);
    if (limits) this.#http.maxConnections = limits.connections;
    this.#clock = clock;
    this.#graceMs = graceMs;
  }

  /** Resolves with the bound address. After an error, it can listen elsewhere. */
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

  /**
   * Accepts no more connections. Resolves when all are closed: those still open some time after `endStreams` are cut
   * off, such as that of a client that does not read the end of its response.
   */
  async close(endStreams?: () => Promise<unknown>): Promise<void> {
    const closed = new Promise<void>((resolve) => void this.#http.close(() => resolve()));
    await endStreams?.();
    this.#http.closeIdleConnections();
    const isClosed = this.#graceMs > 0 && (await endsWithin(this.#clock, this.#graceMs, closed));
    if (!isClosed) this.#http.closeAllConnections();
    await closed;
  }
}

function timeoutsOf({ headersMs, requestMs }: HttpLimits) {
  // By default Node checks the timeouts twice a minute.
  return { headersTimeout: headersMs, requestTimeout: requestMs, connectionsCheckingInterval: headersMs / 3 };
}
