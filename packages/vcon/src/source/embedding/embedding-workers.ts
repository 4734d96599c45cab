// The workers that compute vectors: one for callers without a redaction, and one for each redaction that a search by
// meaning has used.
import type { Redaction } from '../../model/redaction.ts';
import { EmbeddingWorker, type WorkerOptions } from './embedding-worker.ts';

/** An edited redaction leaves an unused worker behind. */
const mostWorkers = 8;

export class EmbeddingWorkers {
  readonly #options: Omit<WorkerOptions, 'redaction'>;
  /** In order of use, the most recent last. */
  readonly #workers = new Map<string, EmbeddingWorker>();
  readonly #closing = new Set<Promise<void>>();

  constructor(options: Omit<WorkerOptions, 'redaction'>) {
    this.#options = options;
  }

  /** Starts a worker for this redaction, if there is none. If there are too many, the least recently needed one ends. */
  need(redaction: Redaction | undefined): void {
    const key = redaction?.digest ?? '';
    const worker = this.#workers.get(key) ?? new EmbeddingWorker({ ...this.#options, redaction });
    this.#workers.delete(key);
    this.#workers.set(key, worker);
    const [oldest] = this.#workers.keys();
    if (this.#workers.size > mostWorkers && oldest !== undefined) this.#end(oldest);
  }

  async close(): Promise<void> {
    for (const key of this.#workers.keys()) this.#end(key);
    await Promise.all(this.#closing);
  }

  #end(key: string): void {
    const closing = this.#workers.get(key)?.close();
    this.#workers.delete(key);
    if (closing === undefined) return;
    this.#closing.add(closing);
    void closing.finally(() => this.#closing.delete(closing));
  }
}
