// The workers that make vectors: one for callers without a redaction, and one for each redaction under which there was
// a search by meaning.
import type { Redaction } from '../../model/redaction.ts';
import { EmbeddingWorker, type WorkerOptions } from './embedding-worker.ts';

/** An edited redaction leaves an unused worker behind. */
const mostWorkers = 8;

export class EmbeddingWorkers {
  readonly #options: Omit<WorkerOptions, 'redaction'>;
  /** The one that was needed last is the last one. */
  readonly #workers = new Map<string, EmbeddingWorker>();
  readonly #closing = new Set<Promise<void>>();

  constructor(options: Omit<WorkerOptions, 'redaction'>) {
    this.#options = options;
  }

  /** Sees to it that there are vectors of what this redaction leaves, now and from now on. */
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
