// The users who have connections of their own to servers with logins per user. Nothing that these connections see
// reaches the journal, the archive, the metrics or the contents that all callers share.
import type { Logins } from '../login/logins.ts';
import { Snapshots } from '../mirror/snapshots.ts';
import { Versions } from '../mirror/versions.ts';
import { Telemetry } from '../base/telemetry.ts';
import { type UpstreamFactoryDeps, UpstreamFactory } from './upstream-factory.ts';
import { UserServers, type UserServersDeps } from './user-servers.ts';

export interface UsersDeps {
  /** What connections of users have in common with those of all callers. */
  factory: UpstreamFactoryDeps;
  loginsOf(this: void, user: string): Logins;
  shared: UserServersDeps['shared'];
}

export class Users {
  readonly #deps: UsersDeps;
  readonly #own: Pick<UpstreamFactoryDeps, 'snapshots' | 'versions' | 'telemetry' | 'archive' | 'cluster'>;
  readonly #servers = new Set<UserServers>();

  constructor(deps: UsersDeps) {
    this.#deps = deps;
    this.#own = {
      snapshots: new Snapshots(deps.factory.settings.mirrorBytes),
      versions: new Versions({ count: 0, bytes: 0 }),
      telemetry: new Telemetry(),
      archive: undefined,
      // Every node connects directly: the owner of a server would send its own login.
      cluster: undefined,
    };
  }

  /** `replaced` is called when a connection of the user was replaced. */
  open(user: string, replaced: () => void): UserServers {
    const { factory, loginsOf, shared } = this.#deps;
    const logins = loginsOf(user);
    const servers = new UserServers({
      factory: new UpstreamFactory({ ...factory, ...this.#own, logins, user }),
      logins,
      shared,
      replaced,
      stopped: () => this.#servers.delete(servers),
    });
    this.#servers.add(servers);
    return servers;
  }

  /** Call it when the configuration has changed, or an `Upstream` of all callers was replaced. */
  review(): void {
    for (const servers of this.#servers) servers.review();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#servers].map((servers) => servers.stop()));
  }
}
