// The hub: connects built-in servers, the tracker, the gateway and HTTP.
import { type Clock, type LiveServer, systemClock } from '@tidings/live';
import { type Config, type Tracker, type TrackerLog, type Upstream, openTracker } from '@tidings/track';
import type { ServerStatus } from '@tidings/client/contract';
import { type HubQuotas, hubQuotas } from './access/hub-quotas.ts';
import { type PermissionsOf, permissionsBy } from './access/permissions.ts';
import { Tokens } from './access/tokens.ts';
import type { AuditLog } from './audit/audit-log.ts';
import { changesBetween } from './audit/configuration-changes.ts';
import { openAuditLog } from './audit/open-audit.ts';
import { AgentSessions } from './agent/agent-sessions.ts';
import type { BuiltinServers } from './builtins.ts';
import { type SampleData, noSamples } from './demo/sample-data.ts';
import { Gateway } from './gateway/gateway.ts';
import { GatewayDirectory } from './gateway/gateway-directory.ts';
import { passedName } from './access/passed-name.ts';
import { Relay } from './gateway/relay/relay.ts';
import { Views } from './gateway/view.ts';
import { type HttpLimits, HubHttp } from './http/hub-http.ts';
import { Pages } from './http/pages.ts';

export interface HubOptions {
  config: Config;
  builtins: BuiltinServers;
  /** A data folder or a postgres:// URL. */
  place: string;
  /** The unlimited token. */
  token?: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
  allowedHosts: readonly string[];
  /** The folder of the built dashboard. */
  pages?: string | undefined;
  demo?: SampleData;
  limits?: Partial<HttpLimits>;
  clock?: Clock;
  log: TrackerLog;
}

const instructions =
  'Several MCP servers behind one address. Tools carry the name of their server in front. Subscribe to the resources you rely on; if your host ignores notifications, call list_changes or wait_for_change.';

export class Hub {
  readonly tracker: Tracker;
  readonly http: HubHttp;
  readonly sessions: AgentSessions;
  readonly audit: AuditLog;
  readonly quotas: HubQuotas;
  readonly #options: HubOptions;
  readonly #clock: Clock;
  readonly #views: Views;
  readonly #relay: Relay;
  readonly #gateway: Gateway;
  readonly #singles = new Map<string, Gateway>();
  readonly #permissionsOf: PermissionsOf;
  #tokens: Tokens;

  static async open(options: HubOptions): Promise<Hub> {
    const { config, builtins, place, env, clock = systemClock, log } = options;
    const tracker = await openTracker({ config, builtins: builtins.byName, place, env, clock, log });
    try {
      const audit = await openAuditLog({ place, settings: () => tracker.config.audit, clock, log });
      return new Hub(options, tracker, clock, audit);
    } catch (error) {
      await tracker.close();
      throw error;
    }
  }

  private constructor(options: HubOptions, tracker: Tracker, clock: Clock, audit: AuditLog) {
    const { config, builtins, allowedHosts, pages, log, demo = noSamples } = options;
    this.#options = options;
    this.#clock = clock;
    this.tracker = tracker;
    this.audit = audit;
    this.#tokens = this.#tokensOf(config);
    this.#views = new Views(builtins, clock);
    this.#relay = new Relay(clock);
    this.#permissionsOf = permissionsBy((id) => {
      const upstream = tracker.find(id);
      return upstream && { catalog: upstream.catalog, redacts: this.#views.redacts(upstream) };
    }, clock);
    this.quotas = hubQuotas({ clock, config: () => tracker.config, tokens: () => this.#tokens });
    this.#gateway = new Gateway({
      name: 'tidings',
      title: 'Tidings',
      instructions,
      upstreams: () => this.#enabled(),
      nameOf: ({ id }, name) => passedName(id, name),
      views: this.#views,
      relay: this.#relay,
      namesAsker: true,
      permissionsOf: this.#permissionsOf,
      changes: { journal: tracker.journal },
      quotas: this.quotas,
      clock,
      log,
    });
    this.sessions = new AgentSessions(
      { journal: tracker.journal, read: (id, uri) => tracker.read(id, uri), clock, random: Math.random, log },
      { env: options.env, addresses: () => tracker.config.realtime ?? [] },
    );
    this.http = new HubHttp({
      tracker,
      sessions: this.sessions,
      gateway: this.#gateway.server,
      settled: () => this.#gateway.settled(),
      directory: this.#directory(),
      views: this.#views,
      permissionsOf: this.#permissionsOf,
      single: (id) => this.#single(id),
      tokens: () => this.#tokens,
      quotas: this.quotas,
      hosts: () => [...allowedHosts, ...(tracker.config.hosts ?? [])],
      proxies: () => tracker.config.proxies ?? [],
      corsOrigins: () => tracker.config.cors ?? [],
      pages: new Pages(pages),
      audit,
      auditsArguments: () => tracker.config.audit !== false && tracker.config.audit?.arguments === true,
      demo,
      isReady: () => this.isReady,
      clock,
      limits: options.limits,
      log,
    });
  }

  /** Whether every server is connected or has failed at least once; a retry does not make the hub unready again. */
  get isReady(): boolean {
    const isKnown = ({ state, detail, failures }: ServerStatus) =>
      state !== 'connecting' || failures > 0 || detail !== '';
    return this.tracker.servers().every(isKnown);
  }

  /** Applies an edited configuration. */
  apply(config: Config): void {
    const detail = changesBetween(this.tracker.config, config);
    this.tracker.apply(config);
    this.audit.record({ who: '-', method: 'configuration', outcome: 'ok', detail });
    this.#tokens = this.#tokensOf(config, this.#tokens);
    for (const gateway of [this.#gateway, ...this.#singles.values()]) gateway.review();
    this.http.review();
  }

  async close(): Promise<void> {
    await this.sessions.close();
    // Concurrently: a client that keeps its connection open must not use up the time that a server process needs to end.
    await Promise.all([this.http.close(), this.tracker.close()]);
    await Promise.all([this.#gateway, ...this.#singles.values()].map((gateway) => gateway.close()));
    await this.#relay.close();
    await this.#views.close();
    await this.#options.builtins.close();
    await this.audit.close();
  }

  #enabled(): Upstream[] {
    return [...this.tracker.upstreams].filter(({ entry }) => entry.enabled);
  }

  #tokensOf(config: Config, before?: Tokens): Tokens {
    const { token: whole, env } = this.#options;
    return new Tokens({ whole, config, env, before });
  }

  /** For the bridge, which reads and does not subscribe. */
  #directory(): GatewayDirectory {
    const upstreams = () => this.#enabled();
    return new GatewayDirectory({
      upstreams,
      views: this.#views,
      relay: this.#relay,
      namesAsker: true,
      permissionsOf: this.#permissionsOf,
      clock: this.#clock,
      announce: () => undefined,
    });
  }

  /** Created on first use: most clients use the common gateway only. */
  async #single(id: string): Promise<LiveServer | undefined> {
    const find = () => this.#enabled().filter((upstream) => upstream.id === id);
    if (find().length === 0) return undefined;
    let gateway = this.#singles.get(id);
    if (gateway === undefined) {
      const { log } = this.#options;
      gateway = new Gateway({
        name: id,
        // A server's instructions may describe anything it has, so a limited caller does not get them.
        instructions: (caller) =>
          this.#permissionsOf(caller).isWhole ? find()[0]?.definitions.instructions : undefined,
        upstreams: find,
        nameOf: (_, name) => name,
        views: this.#views,
        relay: this.#relay,
        namesAsker: false,
        permissionsOf: this.#permissionsOf,
        quotas: this.quotas,
        clock: this.#clock,
        log,
      });
      this.#singles.set(id, gateway);
    }
    await gateway.settled();
    return gateway.server;
  }
}
