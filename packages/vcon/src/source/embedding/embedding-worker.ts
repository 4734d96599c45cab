// Computes missing vectors in the background: first for all vCons, then for those that the feed reports. Several
// processes may do this at once; at worst a vector is computed twice.
import { type Clock, LiveError, type Log } from '@tidings/live';
import { Rerun, backoffMs, delay } from '@tidings/live/time';
import type { Redaction } from '../../model/redaction.ts';
import type { VconStore } from '../tables.ts';
import { uuidsIn } from '../topics.ts';
import { EmbedFailure } from './embed-failure.ts';
import { KeptEmbeddings, type ToEmbed } from './kept-embeddings.ts';
import { type SemanticIndex, textsAtOnce } from './semantic-index.ts';

export interface WorkerOptions {
  store: VconStore;
  semanticIndex: SemanticIndex;
  model: string;
  /** The redaction whose text the vectors are computed from. Without it: from the full text. */
  redaction?: Redaction | undefined;
  clock: Clock;
  log: Log;
}

/** If more changes are reported, all vCons are checked instead. */
const mostTold = 5000;
const pauses = { firstMs: 1000, longestMs: 60_000 };
/** A text that is refused at this length is not shortened further. */
const shortestText = 500;

export class EmbeddingWorker {
  readonly #options: WorkerOptions;
  readonly #kept: KeptEmbeddings;
  readonly #closing = new AbortController();
  readonly #unfollow: () => void;
  /** The uuids that the feed reported. */
  readonly #told = new Set<string>();
  /** The digests of vCons whose text the endpoint refuses. */
  readonly #refused = new Set<string>();
  #waiting: number[] = [];
  /** All vCons up to this id have been checked; undefined when all have. */
  #lookedTo: number | undefined = 0;
  readonly #running = new Rerun(() => this.#run());
  /** Failed rounds in a row. */
  #failures = 0;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#kept = new KeptEmbeddings(options.store, options.model, options.redaction);
    this.#unfollow = options.store.feed.follow({
      change: ({ topics }) => this.#tell(topics),
      gap: () => this.#lookThroughAll(),
    });
    this.#start();
  }

  async close(): Promise<void> {
    this.#unfollow();
    this.#closing.abort();
    await this.#running.stop();
  }

  #tell(topics: readonly string[]): void {
    for (const uuid of uuidsIn(topics)) this.#told.add(uuid);
    if (this.#told.size > mostTold) this.#lookThroughAll();
    else if (this.#told.size > 0) this.#start();
  }

  #lookThroughAll(): void {
    this.#told.clear();
    this.#lookedTo = 0;
    this.#start();
  }

  #start(): void {
    void this.#running.request();
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      try {
        if (this.#waiting.length === 0 && !(await this.#gather())) break;
        await this.#embedSome();
        this.#failures = 0;
      } catch (error) {
        if (this.#closing.signal.aborted) break;
        await this.#pauseAfter(error);
      }
    }
  }

  /** False when there is nothing left to do. */
  async #gather(): Promise<boolean> {
    if (this.#told.size > 0) {
      const uuids = [...this.#told].slice(0, textsAtOnce);
      this.#waiting = await this.#kept.missingAmong(uuids);
      for (const uuid of uuids) this.#told.delete(uuid);
      return true;
    }
    if (this.#lookedTo === undefined) return false;
    const from = this.#lookedTo;
    const { ids, next } = await this.#kept.missingAfter(from);
    this.#waiting = ids;
    // Unless it was restarted meanwhile.
    if (this.#lookedTo === from) this.#lookedTo = next;
    return true;
  }

  async #embedSome(): Promise<void> {
    const ids = this.#waiting.slice(0, textsAtOnce);
    const items: ToEmbed[] = [];
    for (const id of ids) {
      const item = await this.#kept.load(id);
      if (item !== undefined && !this.#refused.has(item.digest)) items.push(item);
    }
    await this.#embed(items);
    this.#waiting = this.#waiting.slice(ids.length);
  }

  async #embed(items: readonly ToEmbed[], isSecondTime = false): Promise<void> {
    if (items.length === 0) return;
    try {
      const vectors = await this.#options.semanticIndex.embed(
        items.map(({ text }) => text),
        this.#closing.signal,
      );
      await this.#kept.keep(
        items.flatMap((item, index) => {
          const vector = vectors[index];
          return vector === undefined ? [] : [{ item, vector }];
        }),
      );
    } catch (error) {
      if (!(error instanceof EmbedFailure && error.isRefusal)) throw error;
      await this.#embedOtherwise(items, error, isSecondTime);
    }
  }

  /** Retries after a refusal: each text alone, after a pause if the refusal is temporary, and then shortened. */
  async #embedOtherwise(items: readonly ToEmbed[], refusal: EmbedFailure, isSecondTime: boolean): Promise<void> {
    const { semanticIndex, log } = this.#options;
    // An endpoint that refuses even this accepts nothing now.
    await semanticIndex.embed(['conversation'], this.#closing.signal).catch(() => {
      throw new EmbedFailure(refusal.problem, { retryAfterMs: refusal.retryAfterMs });
    });
    const [item, ...others] = items;
    if (item === undefined) return;
    if (others.length > 0) {
      for (const each of items) await this.#embed([each]);
    } else if (refusal.isTemporary && !isSecondTime) {
      await this.#pause(pauses.firstMs);
      await this.#embed(items, true);
    } else if (item.text.length > shortestText) {
      await this.#embed([{ ...item, text: item.text.slice(0, item.text.length / 2).toWellFormed() }], true);
    } else {
      this.#refused.add(item.digest);
      log.warn(
        { reason: refusal.message },
        'A vCon is not found by its meaning: the embeddings endpoint refuses its text.',
      );
    }
  }

  async #pauseAfter(error: unknown): Promise<void> {
    // The message only: a network error may carry the request, with the key.
    const reason = error instanceof LiveError ? error.message : 'The vectors could not be made or kept.';
    const message = 'vCons cannot be made ready for search by meaning; trying again.';
    if (this.#failures === 0) this.#options.log.warn({ reason }, message);
    this.#failures += 1;
    const askedMs = error instanceof EmbedFailure ? error.retryAfterMs : 0;
    await this.#pause(Math.min(Math.max(backoffMs(this.#failures, pauses), askedMs), pauses.longestMs));
  }

  #pause(ms: number): Promise<void> {
    return delay(this.#options.clock, ms, this.#closing.signal);
  }
}
