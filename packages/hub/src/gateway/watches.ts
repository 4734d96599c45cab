// What the gateway's clients watch at the servers behind it: one subscription there, however many watch
// here. It is opened before the first of them is told that it has subscribed.
import { type Clock, TimeSlice } from '@tidings/live';
import { endsWithin } from '@tidings/live/time';
import type { Upstream } from '@tidings/track';
import { CatalogReview } from './catalog-review.ts';
import type { Owned } from './ownership.ts';
import type { WatchKeys } from './watch-keys.ts';

/** A server that does not answer must not keep its client waiting for ever; one with thousands to agree to may. */
const patienceMs = 5000;
const patienceForEachMs = 3;
/** How long a subscription stays that has no watchers: a client that reconnects watches the same again. */
const lingerMs = 1000;

export interface WatchesOptions {
  clock: Clock;
  /** Enabled servers, in the order of the configuration. */
  upstreams: () => Iterable<Upstream>;
  /** Whose a URI is now. */
  ownership: Pick<WatchKeys, 'find' | 'ownerOf' | 'uriOf'>;
  /** Says that the resource that was asked for under this URI is not what it was. */
  announce(this: void, uri: string): void;
}

interface Watch {
  upstream: Upstream;
  /** Resolves with how to end it, once it is in force. */
  release: Promise<() => void>;
  watchers: number;
}

export class Watches {
  readonly #options: WatchesOptions;
  readonly #changes: CatalogReview<Upstream>;
  /** By the URI that was asked for. */
  readonly #open = new Map<string, Watch>();
  /** Those without watchers, and when they end; all wait equally long, so the first to end is the first here. */
  readonly #lingering = new Map<string, number>();
  #isTimed = false;
  #isReviewing = false;
  /** How many wait to be in force. */
  #awaited = 0;

  constructor(options: WatchesOptions) {
    this.#options = options;
    this.#changes = new CatalogReview(options.upstreams);
  }

  /** Resolves when it is in force or is not waited for any more, with how to let go of it. */
  async ready(uri: string): Promise<() => void> {
    const end = this.begin(uri);
    const { release } = this.#watch(uri);
    const inForce = release.then(
      () => true,
      () => false,
    );
    if (!(await this.#isSoon(inForce))) {
      // What changes between now and then is heard by nobody.
      void inForce.then((isInForce) => isInForce && this.#options.announce(uri));
    }
    return end;
  }

  /** Returns how to end it. */
  begin(uri: string): () => void {
    const watch = this.#watch(uri);
    watch.watchers += 1;
    this.#lingering.delete(uri);
    return () => {
      watch.watchers -= 1;
      if (watch.watchers === 0) this.#endLater(uri);
    };
  }

  /**
   * Servers, or what they list, changed: what now is another's has to be watched there. Changes of one tick
   * are reviewed together, and only those URIs whose owner can be another one.
   */
  review(): void {
    if (this.#isReviewing) return;
    this.#isReviewing = true;
    void this.#review();
  }

  async #review(): Promise<void> {
    const slice = new TimeSlice(this.#options.clock);
    await new Promise<void>((resolve) => this.#options.clock.defer(resolve));
    for (let isAffected = this.#changes.take(); isAffected !== undefined; isAffected = this.#changes.take()) {
      for (const [uri, watch] of this.#open) {
        const pause = slice.pause();
        if (pause) await pause;
        if (!isAffected(this.#options.ownership.uriOf(uri)) || this.#open.get(uri) !== watch) continue;
        this.#reconsider(uri, watch);
      }
    }
    this.#isReviewing = false;
  }

  #reconsider(uri: string, watch: Watch): void {
    const owner = this.#options.ownership.find(uri);
    if (owner === undefined || owner.upstream === watch.upstream) return;
    release(watch);
    watch.upstream = owner.upstream;
    watch.release = this.#subscribe(uri, owner);
    this.#options.announce(uri);
  }

  async #isSoon(inForce: Promise<unknown>): Promise<boolean> {
    const { clock } = this.#options;
    const began = clock.now();
    const isPatient = () => clock.now() - began < patienceMs + this.#awaited * patienceForEachMs;
    this.#awaited += 1;
    let isThere = await endsWithin(clock, patienceMs, inForce);
    while (!isThere && isPatient()) isThere = await endsWithin(clock, patienceMs, inForce);
    this.#awaited -= 1;
    return isThere;
  }

  #watch(uri: string): Watch {
    let watch = this.#open.get(uri);
    if (watch === undefined) {
      const owner = this.#options.ownership.ownerOf(uri);
      watch = { upstream: owner.upstream, release: this.#subscribe(uri, owner), watchers: 0 };
      this.#open.set(uri, watch);
    }
    return watch;
  }

  #subscribe(asked: string, { upstream, uri }: Owned): Promise<() => void> {
    return upstream.watch(uri, () => this.#options.announce(asked));
  }

  #endLater(uri: string): void {
    this.#lingering.delete(uri);
    this.#lingering.set(uri, this.#options.clock.now() + lingerMs);
    if (!this.#isTimed) this.#endDueAfter(lingerMs);
  }

  #endDueAfter(ms: number): void {
    this.#isTimed = true;
    this.#options.clock.after(ms, () => {
      this.#isTimed = false;
      this.#endDue();
    });
  }

  /** Ends what has lingered long enough, in slices: one client may have left thousands. */
  #endDue(): void {
    const { clock } = this.#options;
    const slice = new TimeSlice(clock);
    for (const [uri, endsAt] of this.#lingering) {
      if (endsAt > clock.now() || slice.isOver) {
        this.#endDueAfter(Math.max(0, endsAt - clock.now()));
        return;
      }
      this.#lingering.delete(uri);
      const watch = this.#open.get(uri);
      this.#open.delete(uri);
      if (watch) release(watch);
    }
  }
}

function release(watch: Watch): void {
  watch.release.then(
    (end) => end(),
    () => undefined,
  );
}
