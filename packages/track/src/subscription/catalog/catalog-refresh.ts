// Reads the catalog of one session without delaying anything else: a list that hangs or fails must not keep
// watched resources from being subscribed to. It is requested again, with growing pauses.
import type { Client } from '@modelcontextprotocol/client';
import type { Clock } from '@tidings/live';
import { Backoff, endsWithin } from '@tidings/live/time';
import { describeError } from '../../connection/error/describe-error.ts';
import { retryPauses } from '../../base/retry-pauses.ts';
import type { CatalogKeeper } from './catalog-keeper.ts';

/** How long a run waits for the list. */
const patienceMs = 2000;

type RefreshOutcome = Awaited<ReturnType<CatalogKeeper['refresh']>> | 'failed' | 'late';

interface CatalogRefreshDeps {
  client: Client;
  catalog: CatalogKeeper;
  clock: Clock;
  random: () => number;
  /** A list that was late has arrived or failed. */
  arrived(this: void): void;
  /** A list request has failed, so many times in a row. */
  failed(this: void, error: unknown, failures: number): void;
}

export class CatalogRefresh {
  readonly #options: CatalogRefreshDeps;
  readonly #backoff: Backoff;
  #asking: Promise<RefreshOutcome> | undefined;
  /** The outcome of a list that was late. */
  #late: RefreshOutcome | undefined;
  #retryAt = Number.NEGATIVE_INFINITY;
  /** Why there is no new list, in words; empty if there is one. */
  problem = '';

  constructor(options: CatalogRefreshDeps) {
    this.#options = options;
    this.#backoff = new Backoff(retryPauses, options.random);
  }

  /** Milliseconds until an old list may be requested; undefined if it is not needed, or already requested. */
  get dueMs(): number | undefined {
    if (this.#asking !== undefined) return undefined;
    const { catalog, clock } = this.#options;
    const { dueMs } = catalog;
    return dueMs === undefined ? undefined : Math.max(dueMs, this.#retryAt - clock.now());
  }

  /** Reads the catalog if it is old. Never rejects. */
  async refresh(): Promise<RefreshOutcome> {
    const late = this.#late;
    this.#late = undefined;
    if (late !== undefined) return late;
    const { clock } = this.#options;
    if (clock.now() < this.#retryAt) return 'failed';
    if (this.#asking !== undefined) return 'late';
    const asking = this.#ask();
    this.#asking = asking;
    if (await endsWithin(clock, patienceMs, asking)) return asking;
    this.problem = 'The list of resources has not come yet.';
    void asking.then((outcome) => {
      this.#late = outcome;
      this.#options.arrived();
    });
    return 'late';
  }

  async #ask(): Promise<RefreshOutcome> {
    const { catalog, client, clock, failed } = this.#options;
    try {
      const outcome = await catalog.refresh(client);
      if (outcome === 'not asked') return outcome;
      this.problem = '';
      this.#backoff.reset();
      return outcome;
    } catch (error) {
      this.problem = `The list of resources could not be read: ${describeError(error)}`;
      this.#retryAt = clock.now() + this.#backoff.next();
      failed(error, this.#backoff.failures);
      return 'failed';
    } finally {
      this.#asking = undefined;
    }
  }
}
