// The subscriptions of the gateway's clients at the servers: one per URI for any number of clients. A subscription is
// opened before that of the first client is confirmed; if no server is known to have the URI yet, once one has it.
import type { Clock } from '@tidings/live';
import { Later, Rerun, TimeSlice, endsWhile, oncePerTick } from '@tidings/live/time';
import type { Upstream } from '@tidings/track';
import type { Watch } from '@tidings/live/internal';
import { CatalogReview } from '../owner/catalog-review.ts';

/** How long a client waits for a server that does not answer; longer while thousands of subscriptions are pending. */
const patienceMs = 5000;
const patienceForEachMs = 3;
/** How long a subscription without watchers is kept: a client that reconnects subscribes to the same URIs again. */
const lingerMs = 1000;

/** The part of a server that is used here. */
interface WatchedServer<Server> extends Pick<Upstream, 'catalog' | 'watch'> {
  sharesWatchersWith(other: Server): boolean;
}

interface Owner<Server> {
  readonly upstream: Server;
  /** In the server's own spelling. */
  readonly uri: string;
}

interface WatchesOptions<Server> {
  clock: Clock;
  /** Enabled servers, in the order of the configuration. */
  upstreams: () => Iterable<Server>;
  ownership: {
    /** The current owner of the URI that is watched under this key. */
    find(key: string): Owner<Server> | undefined;
    uriOf(key: string): string;
  };
  /** Announces a change of the resource that clients know under this URI. */
  announce(this: void, uri: string): void;
  /** The server reported a change. */
  changed?(this: void, owner: Owner<Server>): void;
}

interface SharedWatch<Server> {
  /** Undefined until a server has the URI. */
  owner: Owner<Server> | undefined;
  /** The watch at the server. */
  watch: Required<Watch>;
  watchers: number;
}

/** The watch of a URI that no server has yet: clients are notified when a server has it. */
const ofNoServer: Required<Watch> = { ready: Promise.resolve(), end: () => undefined };

export class Watches<Server extends WatchedServer<Server> = Upstream> {
  readonly #options: WatchesOptions<Server>;
  readonly #changes: CatalogReview<Server>;
  /** Watches by key. */
  readonly #open = new Map<string, SharedWatch<Server>>();
  /**
   * Subscriptions without watchers, with the time of their end. All are kept equally long, so they are in order of that
   * time.
   */
  readonly #lingering = new Map<string, number>();
  readonly #ending: Later;
  readonly #reviewSoon: () => void;
  /** How many watches are not in force yet. */
  #awaited = 0;

  constructor(options: WatchesOptions<Server>) {
    this.#options = options;
    this.#changes = new CatalogReview(options.upstreams);
    const reviews = new Rerun(() => this.#review());
    this.#reviewSoon = oncePerTick(options.clock, () => void reviews.request());
    this.#ending = new Later(options.clock, () => this.#endDue());
  }

  /**
   * `ready` resolves when the watch is in force, or the wait has timed out: then the watcher is notified once the watch
   * is in force.
   */
  begin(uri: string): Required<Watch> {
    const shared = this.#shared(uri);
    shared.watchers += 1;
    this.#lingering.delete(uri);
    const untilInForce = () => this.#untilInForce(shared.watch.ready);
    return {
      // Computed on access: not every caller waits for it.
      get ready() {
        return untilInForce();
      },
      end: () => {
        shared.watchers -= 1;
        if (shared.watchers === 0) this.#endLater(uri);
      },
    };
  }

  /**
   * Call it when servers or their lists changed: a URI with another owner has to be watched there. Changes of one tick
   * are reviewed together, and only URIs whose owner may have changed.
   */
  review(): void {
    this.#reviewSoon();
  }

  async #review(): Promise<void> {
    const slice = new TimeSlice(this.#options.clock);
    const isAffected = this.#changes.take();
    if (isAffected === undefined) return;
    for (const [uri, shared] of this.#open) {
      const pause = slice.pause();
      if (pause) await pause;
      if (!isAffected(this.#options.ownership.uriOf(uri)) || this.#open.get(uri) !== shared) continue;
      this.#reconsider(uri, shared);
    }
  }

  #reconsider(uri: string, shared: SharedWatch<Server>): void {
    const { ownership, upstreams, announce } = this.#options;
    const owner = ownership.find(uri);
    const before = shared.owner;
    if (owner?.upstream === before?.upstream) return;
    const isSame = (upstream: Server) => before?.upstream.sharesWatchersWith(upstream) === true;
    const standing = owner === undefined && before ? [...upstreams()].find(isSame) : undefined;
    // A server may list the resource again; only a removed server loses it.
    if (standing && before) {
      shared.owner = { uri: before.uri, upstream: standing };
      return;
    }
    shared.owner = owner;
    // After a change of this node's role for the server, the new `Upstream` notifies the watchers of differences.
    if (owner && before?.uri === owner.uri && isSame(owner.upstream)) return;
    shared.watch.end();
    shared.watch = owner ? this.#subscribe(uri, owner) : ofNoServer;
    announce(uri);
  }

  async #untilInForce(inForce: Promise<unknown>): Promise<void> {
    const { clock } = this.#options;
    const began = clock.now();
    const isPatient = () => clock.now() - began < patienceMs + this.#awaited * patienceForEachMs;
    this.#awaited += 1;
    await endsWhile(clock, () => (isPatient() ? patienceMs : 0), inForce);
    this.#awaited -= 1;
  }

  #shared(uri: string): SharedWatch<Server> {
    let shared = this.#open.get(uri);
    if (shared === undefined) {
      const owner = this.#options.ownership.find(uri);
      const watch = owner ? this.#subscribe(uri, owner) : ofNoServer;
      shared = { owner, watch, watchers: 0 };
      this.#open.set(uri, shared);
    }
    return shared;
  }

  #subscribe(requestedUri: string, owner: Owner<Server>): Required<Watch> {
    const { announce, changed } = this.#options;
    return owner.upstream.watch(owner.uri, () => {
      changed?.(owner);
      announce(requestedUri);
    });
  }

  #endLater(uri: string): void {
    this.#lingering.delete(uri);
    this.#lingering.set(uri, this.#options.clock.now() + lingerMs);
    this.#ending.request(lingerMs);
  }

  /** Ends expired subscriptions, in time slices: one client may have left thousands. */
  #endDue(): void {
    const { clock } = this.#options;
    const slice = new TimeSlice(clock);
    for (const [uri, endsAt] of this.#lingering) {
      if (endsAt > clock.now() || slice.isOver) {
        this.#ending.request(Math.max(0, endsAt - clock.now()));
        return;
      }
      this.#lingering.delete(uri);
      const shared = this.#open.get(uri);
      this.#open.delete(uri);
      shared?.watch.end();
    }
  }
}
