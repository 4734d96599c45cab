// The gateways of each caller. Callers share them, unless a server has logins per user: then every user has gateways of
// its own, over the shared servers and its own connections. So nothing that they keep (lists, contents, subscriptions,
// permissions) can pass from one user to another.
import { type Caller, type Clock, LimitExceeded } from '@tidings/live';
import { every } from '@tidings/live/time';
import type { Config, Tracker, UserServers } from '@tidings/track';
import { isPerUser } from '@tidings/track/internal';
import type { PermissionsOf } from '../access/permissions.ts';
import { userOf } from '../access/user-of.ts';
import { Gateways, type GatewaysOptions } from './gateways.ts';

export interface UserBounds {
  /** How many users have gateways at the same time. */
  users: number;
  /** How long they are kept after the last request, and the end of the last stream. */
  idleMs: number;
}

export interface CallerGatewaysOptions extends Omit<GatewaysOptions, 'servers'> {
  tracker: Tracker;
  bounds?: Partial<UserBounds> | undefined;
  clock: Clock;
}

interface OwnGateways {
  readonly gateways: Gateways;
  readonly servers: UserServers;
  /** How many requests and streams of the user are open. */
  open: number;
  usedAt: number;
}

/** A session of the 2025 era ends after half an hour without a request: its gateway stays longer. */
const usual: UserBounds = { users: 500, idleMs: 35 * 60_000 };
const lookEveryMs = 60_000;
const retrySeconds = 30;

export class CallerGateways {
  /** The gateways of all callers or, if a server has logins per user, of the operator. */
  readonly shared: Gateways;
  readonly #options: CallerGatewaysOptions;
  readonly #bounds: UserBounds;
  readonly #own = new Map<string, OwnGateways>();
  readonly #closed = new Set<(gateways: Gateways) => Promise<void>>();
  readonly #closing = new Set<Promise<void>>();
  readonly #looking: { cancel(): void };
  #config: Config | undefined;
  #hasPerUser = false;
  #hadPerUser = false;

  constructor(options: CallerGatewaysOptions) {
    this.#options = options;
    this.#bounds = { ...usual, ...options.bounds };
    this.shared = new Gateways({ ...options, servers: options.tracker });
    this.#looking = every(options.clock, Math.min(lookEveryMs, this.#bounds.idleMs), () => this.#closeIdle());
  }

  readonly permissionsOf: PermissionsOf = (caller) => this.of(caller).permissionsOf(caller);

  /** Whether a server has, or had since the start, a login for each user: then the operator sees more than the others. */
  get hasSecrets(): boolean {
    return this.#isPerUser() || this.#hadPerUser;
  }

  /** Throws if too many other users have gateways of their own. */
  of(caller: Pick<Caller, 'auth'>): Gateways {
    const user = this.#isPerUser() ? userOf(caller) : undefined;
    return user === undefined ? this.shared : this.#ownOf(user).gateways;
  }

  /** Whether this caller has gateways of its own. */
  isUser(auth: Caller['auth']): boolean {
    return this.#isPerUser() && userOf({ auth }) !== undefined;
  }

  /** Call it when this caller has logged in to a server or out. */
  renew({ auth }: Pick<Caller, 'auth'>, serverId: string): void {
    const user = userOf({ auth });
    if (user !== undefined) this.#own.get(user)?.servers.renew(serverId);
  }

  /** Keeps the gateways of this caller until the returned function is called. */
  hold(caller: Pick<Caller, 'auth'>): () => void {
    const user = this.#isPerUser() ? userOf(caller) : undefined;
    if (user === undefined) return () => undefined;
    const own = this.#ownOf(user);
    own.open += 1;
    return () => {
      own.open -= 1;
      own.usedAt = this.#options.clock.now();
    };
  }

  /** Calls `listener` when gateways are closed that are not used any more. */
  onClosed(listener: (gateways: Gateways) => Promise<void>): void {
    this.#closed.add(listener);
  }

  /**
   * Call it when servers, their `Upstream` objects, or the access of callers changed. `isKnown`: whether a user may
   * still use the hub.
   */
  review(change?: { hasOtherAccess: boolean }, isKnown: (user: string) => boolean = () => true): void {
    const isPerUser = this.#isPerUser();
    for (const [user, own] of this.#own) {
      if (isPerUser && isKnown(user)) own.gateways.review(change);
      else this.#close(user, own);
    }
    this.shared.review(change);
  }

  async close(): Promise<void> {
    this.#looking.cancel();
    for (const [user, own] of this.#own) this.#close(user, own);
    await Promise.all([this.shared.close(), ...this.#closing]);
  }

  /** Read with every request, and computed with every configuration. */
  #isPerUser(): boolean {
    const { config } = this.#options.tracker;
    if (config !== this.#config) {
      this.#config = config;
      this.#hasPerUser = config.servers.some(isPerUser);
      this.#hadPerUser ||= this.#hasPerUser;
    }
    return this.#hasPerUser;
  }

  #ownOf(user: string): OwnGateways {
    const own = this.#own.get(user) ?? this.#make(user);
    own.usedAt = this.#options.clock.now();
    // The most recently used is the last.
    this.#own.delete(user);
    this.#own.set(user, own);
    return own;
  }

  #make(user: string): OwnGateways {
    this.#makeRoom();
    const servers = this.#options.tracker.serversOf(user, () => this.#own.get(user)?.gateways.review());
    const gateways = new Gateways({ ...this.#options, servers });
    return { gateways, servers, open: 0, usedAt: this.#options.clock.now() };
  }

  #makeRoom(): void {
    if (this.#own.size < this.#bounds.users) return;
    const unused = [...this.#own].find(([, { open }]) => open === 0);
    if (unused) return this.#close(...unused);
    const message = `All ${this.#bounds.users} users that this hub serves at the same time are there: try again later.`;
    throw new LimitExceeded(message, retrySeconds);
  }

  #closeIdle(): void {
    const oldest = this.#options.clock.now() - this.#bounds.idleMs;
    for (const [user, own] of this.#own) if (own.open === 0 && own.usedAt <= oldest) this.#close(user, own);
  }

  #close(user: string, { gateways, servers }: OwnGateways): void {
    this.#own.delete(user);
    const closing = this.#end(gateways, servers)
      .catch((error: unknown) => this.#options.log.error({ err: error }, 'The gateways of a user could not be closed.'))
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  async #end(gateways: Gateways, servers: UserServers): Promise<void> {
    await Promise.all([...[...this.#closed].map((listener) => listener(gateways)), servers.stop()]);
    await gateways.close();
  }
}
