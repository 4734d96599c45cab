// The servers as one user sees them: those that all callers share, and connections of the user's own to servers with
// logins per user. These are made when they are first asked for, and replaced when the user logs in or out, so that
// nothing that one account has shown is offered to the next.
import { addressDigest } from '../config/config-change.ts';
import { isPerUser } from '../config/per-user.ts';
import type { UrlEntry } from '../config/config.ts';
import { AgreedForUsers } from '../definition/agreed-for-users.ts';
import type { Logins } from '../login/logins.ts';
import { emptyCatalog } from '../subscription/catalog/catalog.ts';
import type { UpstreamFactory } from './upstream-factory.ts';
import type { Upstream } from './upstream.ts';

export interface UserServersDeps {
  /** Makes connections of this user. */
  factory: Pick<UpstreamFactory, 'make'>;
  /** The logins of this user. */
  logins: Logins;
  /** The servers of all callers. */
  shared: SharedServers;
  /** Called when a connection of the user was replaced. */
  replaced(this: void): void;
  /** Called when all of them have ended. */
  stopped(this: void): void;
}

interface SharedServers {
  /** In the order of the configuration. */
  readonly upstreams: Iterable<Upstream>;
  find(serverId: string): Upstream | undefined;
}

interface OwnConnection {
  readonly upstream: Upstream;
  readonly unfollow: () => void;
}

/**
 * The servers as one user sees them. Made by `tracker.serversOf`.
 *
 * @example
 * const servers = tracker.serversOf('ada', () => undefined);
 * for (const { id, user } of servers.upstreams) console.log(id, user);
 */
export class UserServers {
  readonly #deps: UserServersDeps;
  readonly #own = new Map<string, OwnConnection>();
  readonly #leaving = new Set<Promise<void>>();
  #isStopped = false;

  constructor(deps: UserServersDeps) {
    this.#deps = deps;
  }

  /** All of them, in the order of the configuration. */
  get upstreams(): Iterable<Upstream> {
    return [...this.#deps.shared.upstreams].flatMap((shared) => this.#for(shared) ?? []);
  }

  find(serverId: string): Upstream | undefined {
    const shared = this.#deps.shared.find(serverId);
    return shared && this.#for(shared);
  }

  /** Replaces the user's connection. Called for a login that another process has changed, too. */
  renew(serverId: string): void {
    this.#drop(serverId);
    this.#deps.replaced();
  }

  /** Call it when the configuration has changed, or an `Upstream` of all callers was replaced. */
  review(): void {
    for (const [id, { upstream }] of this.#own) {
      const entry = this.#deps.shared.find(id)?.entry;
      const isSame = entry !== undefined && isPerUser(entry) && addressDigest(entry) === addressDigest(upstream.entry);
      if (!isSame) this.#drop(id);
      else if (entry !== upstream.entry) upstream.adjust(entry, false);
      upstream.definitions.agreementChanged();
    }
  }

  /** Resolves when all connections of the user have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const id of this.#own.keys()) this.#drop(id);
    await Promise.all(this.#leaving);
    this.#deps.logins.close();
    this.#deps.stopped();
  }

  /** For a server with logins per user, this is never the shared connection. */
  #for(shared: Upstream): Upstream | undefined {
    const { entry } = shared;
    if (!isPerUser(entry)) return shared;
    return this.#own.get(entry.id)?.upstream ?? (this.#isStopped ? undefined : this.#make(entry));
  }

  #make(entry: UrlEntry): Upstream {
    const { factory, logins, shared } = this.#deps;
    const { id } = entry;
    const common = () => shared.find(id)?.definitions;
    const definitions = new AgreedForUsers({
      isPinned: () => upstream.entry.pin === true,
      agreedText: (name) => common()?.agreedText(name),
    });
    const memory = { resources: new Map(), catalog: emptyCatalog, definitions };
    const upstream = factory.make(entry, { is: 'owner', claim: undefined }, memory);
    const isCurrent = () => this.#own.get(id)?.upstream === upstream;
    const unfollowLogin = logins.of(entry)?.onOther(() => {
      if (isCurrent()) this.renew(id);
    });
    const unfollowAgreement = common()?.follow(() => upstream.definitions.agreementChanged());
    const unfollow = () => {
      unfollowLogin?.();
      unfollowAgreement?.();
    };
    this.#own.set(id, { upstream, unfollow });
    upstream.start();
    return upstream;
  }

  #drop(id: string): void {
    const own = this.#own.get(id);
    if (own === undefined) return;
    const { upstream } = own;
    this.#own.delete(id);
    own.unfollow();
    const leaving = upstream.stop().then(() => {
      upstream.discard();
      this.#leaving.delete(leaving);
    });
    this.#leaving.add(leaving);
    this.#deps.logins.keepOnly([...this.#own.values()].map((each) => each.upstream.entry));
  }
}
