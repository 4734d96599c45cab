// The gateways of a hub: one for all servers, and one for each server that is used under its own address.
import type { Caller, Clock, LiveServer, Log, Quotas } from '@tidings/live';
import { version } from '@tidings/live/version';
import type { Tracker, Upstream } from '@tidings/track';
import { settingsOf } from '../access/callers.ts';
import { isNode } from '../access/node-principal.ts';
import { longestName, passedNames } from '../access/passed-name.ts';
import type { PermissionsOf } from '../access/permissions.ts';
import { Gateway } from './gateway.ts';
import { GatewayDirectory } from './gateway-directory.ts';
import { type ServerInstructions, mergedInstructions } from './merged-instructions.ts';
import type { ReadResources } from './read-resources.ts';
import type { Relay } from './relay/relay.ts';
import type { Views } from './view.ts';

interface GatewaysOptions {
  tracker: Tracker;
  views: Views;
  relay: Relay;
  readResources: ReadResources;
  permissionsOf: PermissionsOf;
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
  readonly #options: GatewaysOptions;
  readonly #singles = new Map<string, Gateway>();

  constructor(options: GatewaysOptions) {
    const { tracker } = options;
    this.#options = options;
    this.common = new Gateway({
      ...options,
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
    await gateway.settled();
    return gateway.server;
  }

  /** A directory for the bridge, which reads and does not subscribe. */
  directory(): GatewayDirectory {
    const { views, relay, permissionsOf, clock } = this.#options;
    const upstreams = () => this.#enabled();
    return new GatewayDirectory({
      upstreams,
      views,
      relay,
      namesAsker: true,
      permissionsOf,
      clock,
      announce: () => undefined,
    });
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
    return [...this.#options.tracker.upstreams].filter(({ entry }) => entry.enabled);
  }

  /** A server's instructions may describe anything it has, so a limited caller does not get them. */
  #introducedTo(caller: Caller): ServerInstructions[] {
    if (!this.#options.permissionsOf(caller).isWhole) return [];
    return this.#enabled().map(({ id, definitions }) => ({ id, text: definitions.instructions }));
  }

  #mentionsChanges({ auth }: Caller): boolean {
    // Another node mentions them to its own callers.
    if (isNode({ auth })) return false;
    const { config } = this.#options.tracker;
    return settingsOf(config, auth?.subject)?.mentionChanges ?? config.mentionChanges ?? true;
  }
}
