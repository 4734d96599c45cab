// The workers that compute vectors: one for callers without a redaction, and one for each redaction that a search by
// meaning has used.
import { BoundedMap } from '@tidings/live/portable';
import type { Redaction } from '../../model/redaction.ts';
import { EmbeddingWorker, type WorkerOptions } from './embedding-worker.ts';

/** An edited redaction leaves an unused worker behind. */
const mostWorkers = 8;

export class EmbeddingWorkers {
  readonly #options: Omit<WorkerOptions, 'redaction'>;
  /** In order of use, the most recent last. */
  readonly #workers = new BoundedMap<string, EmbeddingWorker>(mostWorkers, (worker) => this.#end(worker));
  readonly #closing = new Set<Promise<void>>();

  constructor(options: Omit<WorkerOptions, 'redaction'>) {
    this.#options = options;
  }

  /** Starts a worker for this redaction, if there is none. If there are too many, the least recently needed one ends. */
  need(redaction: Redaction | undefined): void {
    const key = redaction?.digest ?? '';
    const worker = this.#workers.get(key) ?? new EmbeddingWorker({ ...this.#options, redaction });
    this.#workers.set(key, worker);
  }

  async close(): Promise<void> {
    for (const worker of this.#workers.values()) this.#end(worker);
    this.#workers.clear();
    await Promise.all(this.#closing);
  }

  #end(worker: EmbeddingWorker): void {
    const closing = worker.close();
    this.#closing.add(closing);
    void closing.finally(() => this.#closing.delete(closing));
  }
}
