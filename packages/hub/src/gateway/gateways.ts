// The gateways of a hub, or of one user: one for all servers, and one for each server that is used under its own
// address. caller-gateways.ts has those of users.
import { type Caller, type Clock, LiveError, type LiveServer, type Log, type Quotas } from '@tidings/live';
import { version } from '@tidings/live/version';
import type { Tracker, Upstream, UserServers } from '@tidings/track';
import { settingsOf } from '../access/callers.ts';
import { isNode } from '../access/node-principal.ts';
import { longestName, passedNames } from '../access/passed-name.ts';
import { type PermissionsOf, permissionsBy } from '../access/permissions.ts';
import { Gateway } from './gateway.ts';
import { GatewayDirectory } from './resource/gateway-directory.ts';
import { type ServerInstructions, mergedInstructions } from './merged-instructions.ts';
import type { ReadResources } from './mention/read-resources.ts';
import type { Relay } from './relay/relay.ts';
import type { Views } from './view.ts';

export interface GatewaysOptions {
  tracker: Pick<Tracker, 'config' | 'journal'>;
  /** The servers as these callers see them. */
  servers: Pick<UserServers, 'upstreams' | 'find'>;
  views: Views;
  relay: Relay;
  readResources: ReadResources;
  quotas: Quotas;
  clock: Clock;
  log: Log;
}

const ownInfo = { name: 'tidings', title: 'Tidings', version };
const ownInstructions =
  'Several MCP servers behind one address. Tools carry the name of their server in front. Subscribe to the resources you rely on; if your host ignores notifications, call list_changes or wait_for_change.';

export class Gateways {
  /** All servers. */
  readonly common: Gateway;
  /** The resources for callers without MCP, who read and do not subscribe. */
  readonly directory: GatewayDirectory;
  readonly permissionsOf: PermissionsOf;
  readonly #options: GatewaysOptions;
  readonly #singles = new Map<string, Gateway>();

  constructor(options: GatewaysOptions) {
    const { tracker, servers, views, clock } = options;
    this.#options = options;
    this.permissionsOf = permissionsBy((id) => {
      const upstream = servers.find(id);
      if (upstream === undefined) return undefined;
      const { lastKnownCatalog: catalog, isOperatorOnly } = upstream;
      return { catalog, redacts: views.redacts(upstream), isOperatorOnly };
    }, clock);
    const { relay } = options;
    this.directory = new GatewayDirectory({
      views,
      relay,
      clock,
      upstreams: () => this.#enabled(),
      namesAsker: true,
      permissionsOf: this.permissionsOf,
      announce: () => undefined,
    });
    this.common = new Gateway({
      ...options,
      permissionsOf: this.permissionsOf,
      info: () => ownInfo,
      instructions: (caller) => mergedInstructions(ownInstructions, this.#introducedTo(caller)),
      upstreams: () => this.#enabled(),
      namesOf: ({ id }, names) => passedNames(id, names, longestName(tracker.config.hostPrefix)),
      mentionsChanges: (caller) => this.#mentionsChanges(caller),
      namesAsker: true,
      changes: { journal: tracker.journal },
    });
  }

  /** One server under its own names; created on first use, since most clients use the common gateway only. */
  async single(id: string): Promise<LiveServer | undefined> {
    const find = () => this.#enabled().filter((upstream) => upstream.id === id);
    if (find().length === 0) return undefined;
    let gateway = this.#singles.get(id);
    if (gateway === undefined) {
      gateway = new Gateway({
        ...this.#options,
        permissionsOf: this.permissionsOf,
        // The server's own name and version, once it was connected; held back if the server is pinned and they have
        // changed.
        info: () => find()[0]?.definitions.info ?? { name: id, version },
        instructions: (caller) => this.#introducedTo(caller).find((each) => each.id === id)?.text,
        upstreams: find,
        mentionsChanges: (caller) => this.#mentionsChanges(caller),
        namesAsker: false,
      });
      this.#singles.set(id, gateway);
    }
    await gateway.firstListsRead();
    return gateway.server;
  }

  get upstreams(): Iterable<Upstream> {
    return this.#options.servers.upstreams;
  }

  find(id: string): Upstream | undefined {
    return this.#options.servers.find(id);
  }

  /** Throws if there is no such server. */
  upstream(id: string): Upstream {
    const found = this.find(id);
    if (found) return found;
    const names = [...this.upstreams].map((each) => each.id).join(', ') || 'none';
    throw new LiveError('RESOURCE_NOT_FOUND', `There is no server "${id}". Configured: ${names}.`);
  }

  /** Call it when servers, their `Upstream` objects, or the access of callers changed. */
  review(change?: { hasOtherAccess: boolean }): void {
    for (const gateway of this.#all()) gateway.review(change);
  }

  async close(): Promise<void> {
    await Promise.all(this.#all().map((gateway) => gateway.close()));
  }

  #all(): Gateway[] {
    return [this.common, ...this.#singles.values()];
  }

  #enabled(): Upstream[] {
    return [...this.upstreams].filter(({ entry }) => entry.enabled);
  }

  /** A server's instructions may describe anything it has, so a limited caller does not get them. */
  #introducedTo(caller: Caller): ServerInstructions[] {
    if (!this.permissionsOf(caller).isWhole) return [];
    return this.#enabled().map(({ id, definitions }) => ({ id, text: definitions.instructions }));
  }

  #mentionsChanges({ auth }: Caller): boolean {
    // Another node mentions the changes to its own callers.
    if (isNode({ auth })) return false;
    const { config } = this.#options.tracker;
    return settingsOf(config, auth?.subject)?.mentionChanges ?? config.mentionChanges ?? true;
  }
}
