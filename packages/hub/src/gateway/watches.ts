// What the gateway's clients watch at the servers behind it: one subscription there, however many watch
// here. It is opened before the first of them is told that it has subscribed.
import type { Clock, Timer } from '@tidings/live';
import type { Upstream } from '@tidings/track';
import type { Owned } from './ownership.ts';
import type { WatchKeys } from './watch-keys.ts';
import { within } from './within.ts';

/** A server that does not answer must not keep its client waiting for ever; one with thousands to agree to may. */
const patienceMs = 5000;
const patienceForEachMs = 3;
/** How long a subscription stays that nobody uses: between being ready and being watched, or watched again. */
const lingerMs = 1000;

export interface WatchesOptions {
  clock: Clock;
  /** Whose a URI is now. */
  ownership: Pick<WatchKeys, 'find' | 'ownerOf'>;
  /** Says that the resource that was asked for under this URI is not what it was. */
  announce(this: void, uri: string): void;
}

interface Watch {
  upstream: Upstream;
  /** Resolves with how to end it, once it is in force. */
  release: Promise<() => void>;
  watchers: number;
  linger: Timer | undefined;
}

export class Watches {
  readonly #options: WatchesOptions;
  /** By the URI that was asked for. */
  readonly #open = new Map<string, Watch>();
  /** How many wait to be in force. */
  #awaited = 0;

  constructor(options: WatchesOptions) {
    this.#options = options;
  }

  async ready(uri: string): Promise<void> {
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
    end();
  }

  /** Returns how to end it. */
  begin(uri: string): () => void {
    const watch = this.#watch(uri);
    watch.watchers += 1;
    watch.linger?.cancel();
    return () => {
      watch.watchers -= 1;
      if (watch.watchers === 0) this.#endLater(uri, watch);
    };
  }

  /** Servers, or what they list, changed: what now is another's has to be watched there. */
  review(): void {
    for (const [uri, watch] of this.#open) {
      const owner = this.#options.ownership.find(uri);
      if (owner === undefined || owner.upstream === watch.upstream) continue;
      release(watch);
      watch.upstream = owner.upstream;
      watch.release = this.#subscribe(uri, owner);
      this.#options.announce(uri);
    }
  }

  async #isSoon(inForce: Promise<unknown>): Promise<boolean> {
    const { clock } = this.#options;
    const began = clock.now();
    const isPatient = () => clock.now() - began < patienceMs + this.#awaited * patienceForEachMs;
    this.#awaited += 1;
    let isThere = await within(patienceMs, inForce, clock);
    while (!isThere && isPatient()) isThere = await within(patienceMs, inForce, clock);
    this.#awaited -= 1;
    return isThere;
  }

  #watch(uri: string): Watch {
    let watch = this.#open.get(uri);
    if (watch === undefined) {
      const owner = this.#options.ownership.ownerOf(uri);
      watch = { upstream: owner.upstream, release: this.#subscribe(uri, owner), watchers: 0, linger: undefined };
      this.#open.set(uri, watch);
    }
    return watch;
  }

  #subscribe(asked: string, { upstream, uri }: Owned): Promise<() => void> {
    return upstream.watch(uri, () => this.#options.announce(asked));
  }

  #endLater(uri: string, watch: Watch): void {
    watch.linger?.cancel();
    watch.linger = this.#options.clock.after(lingerMs, () => {
      if (watch.watchers > 0) return;
      this.#open.delete(uri);
      release(watch);
    });
  }
}

function release(watch: Watch): void {
  watch.release.then(
    (end) => end(),
    () => undefined,
  );
}
