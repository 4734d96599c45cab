// The metrics of `tidings serve`: requests by method and outcome, and figures of the process.
import type { HttpOptions } from '@tidings/live';
import { Counter, Registry, collectDefaultMetrics } from 'prom-client';

type Observe = NonNullable<HttpOptions['observe']>;

const knownMethods =
  /^(?:initialize|ping|server\/discover|(?:resources|tools|prompts|subscriptions)\/(?:list|read|call|get|subscribe|unsubscribe|listen|templates\/list)|completion\/complete|logging\/setLevel)$/;

export class ServeMetrics {
  readonly #registry = new Registry();
  readonly #requests: Counter<'method' | 'outcome'>;

  constructor(server: string) {
    this.#registry.setDefaultLabels({ server });
    collectDefaultMetrics({ register: this.#registry, prefix: 'tidings_' });
    this.#requests = new Counter({
      name: 'tidings_requests_total',
      help: 'MCP requests that were answered.',
      labelNames: ['method', 'outcome'],
      registers: [this.#registry],
    });
  }

  /** Clients can send any method, so only known ones have their own counter. */
  readonly observe: Observe = ({ method, code = 'ok' }) => {
    this.#requests.inc({ method: knownMethods.test(method) ? method : 'other', outcome: code });
  };

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
