// The hub: creates and connects the built-in servers, the tracker, the gateways and HTTP.
import { type Clock, systemClock } from '@tidings/live';
import { parsedUrl } from '@tidings/live/portable';
import { delay } from '@tidings/live/time';
import { UserLogins, loginChallenge } from '@tidings/track/internal';
import { type Config, type Tracker, openTracker } from '@tidings/track';
import { type HubQuotas, hubQuotas } from './access/hub-quotas.ts';
import { CurrentCallers } from './access/current-callers.ts';
import type { AuditLog } from './audit/audit-log.ts';
import { changesBetween } from './audit/configuration-changes.ts';
import { openAuditLog } from './audit/open-audit.ts';
import { AgentSessions } from './agent/agent-sessions.ts';
import { KeptSessions } from './agent/kept-sessions.ts';
import type { DueNotification } from './agent/message/notification-messages.ts';
import { SharedSessions } from './agent/shared-sessions.ts';
import { isDatabase } from './base/data-place.ts';
import { noSamples } from './demo/sample-data.ts';
import { CallerGateways } from './gateway/caller-gateways.ts';
import { ReadResources } from './gateway/mention/read-resources.ts';
import { Relay } from './gateway/relay/relay.ts';
import { Views } from './gateway/view.ts';
import { Hooks } from './hook/hooks.ts';
import { httpAccess } from './http/http-access.ts';
import { HubHttp } from './http/hub-http.ts';
import { Pages } from './http/route/pages.ts';
import type { HubOptions } from './hub-options.ts';
import { type JournalSlot, takeJournalSlot } from './journal-slot.ts';
import { hostsOf, nodeUrl } from './node-url.ts';
import { Readiness } from './readiness.ts';

/** How long a modern client has to answer the questions of a 2025-era server. The configuration may override it. */
const usualAnswerSeconds = 60;
/** How long a balancer that checks twice a second takes to notice that `/readyz` fails. */
const noticeMs = 1500;
/** The time between the ends of two streams when a node drains: a client reconnects elsewhere within milliseconds. */
const drainForEachMs = 2;
const longestDrainMs = 10_000;

/** The parts that are opened before the hub. */
interface HubParts {
  tracker: Tracker;
  clock: Clock;
  audit: AuditLog;
  /** Undefined in a cluster, and in a second hub on one folder. */
  kept: KeptSessions | undefined;
  slot: JournalSlot | undefined;
}

export class Hub {
  readonly tracker: Tracker;
  readonly http: HubHttp;
  readonly sessions: AgentSessions;
  readonly #sharedSessions: SharedSessions;
  readonly audit: AuditLog;
  readonly quotas: HubQuotas;
  readonly #options: HubOptions;
  readonly #clock: Clock;
  readonly #slot: JournalSlot | undefined;
  readonly #views: Views;
  readonly #relay: Relay;
  readonly #readResources: ReadResources;
  readonly #gateways: CallerGateways;
  readonly #callers: CurrentCallers;
  readonly #readiness: Readiness;
  #bound = '';

  static async open(options: HubOptions): Promise<Hub> {
    const { place } = options;
    // A slot is needed for a folder only: hubs on one database are a cluster with one journal.
    const slot = isDatabase(place) ? undefined : await takeJournalSlot(place);
    try {
      return await Hub.#openOn(options, slot);
    } catch (error) {
      slot?.release();
      throw error;
    }
  }

  static async #openOn(options: HubOptions, slot: JournalSlot | undefined): Promise<Hub> {
    const { config, builtins, place, env, clock = systemClock, log, node, bus, logins } = options;
    const shared = node && { node: node.id, sharedBuiltins: builtins.inDatabase, ...(bus && { bus }) };
    const own = slot?.journal !== undefined && { journal: slot.journal };
    let hub: Hub | undefined;
    const tracker = await openTracker({
      config,
      builtins: builtins.byName,
      place,
      env,
      clock,
      log,
      hubAddress: () => hub?.address ?? '',
      ...(logins && { logins }),
      ...shared,
      ...own,
    });
    try {
      const audit = await openAuditLog({ place, settings: () => tracker.config.audit, clock, log });
      // Of several hubs on one folder, the first keeps the agent sessions.
      const isFirst = node === undefined && slot?.journal === undefined;
      const kept = isFirst ? await KeptSessions.open(place, log) : undefined;
      hub = new Hub(options, { tracker, clock, audit, kept, slot });
      await hub.sessions.restore();
      return hub;
    } catch (error) {
      await tracker.close();
      throw error;
    }
  }

  private constructor(options: HubOptions, { tracker, clock, audit, kept, slot }: HubParts) {
    const { config, builtins, allowedHosts, pages, token: whole, env, log, demo = noSamples } = options;
    this.#options = options;
    this.#clock = clock;
    this.tracker = tracker;
    this.audit = audit;
    this.#slot = slot;
    this.#callers = new CurrentCallers(config, { whole, env, clock, log });
    this.#readiness = new Readiness(() => tracker.servers());
    this.#views = new Views(builtins, clock);
    this.#relay = new Relay({
      clock,
      patienceMs: () => (tracker.config.answerWithinSeconds ?? usualAnswerSeconds) * 1000,
      secret: tracker.cluster?.secret,
    });
    this.#readResources = new ReadResources(tracker.journal);
    this.quotas = hubQuotas({ clock, config: () => tracker.config, tokens: () => this.#callers.now.tokens });
    this.#gateways = new CallerGateways({
      tracker,
      views: this.#views,
      relay: this.#relay,
      readResources: this.#readResources,
      bounds: options.users,
      quotas: this.quotas,
      clock,
      log,
    });
    const delivered = (session: string, seconds: number) => tracker.telemetry.delivered.observe({ session }, seconds);
    this.sessions = new AgentSessions(
      {
        journal: tracker.journal,
        read: (id, uri) => tracker.read(id, uri),
        // The user of an agent is not known, so agents get such events only if all callers are operators.
        isForAgents: ({ operatorOnly }) => operatorOnly !== true || this.#callers.now.areOperators,
        clock,
        random: Math.random,
        delivered,
        log,
      },
      {
        env,
        kept,
        addresses: () => tracker.config.realtime ?? [],
        // Without this, the metrics of a detached session would stay forever.
        detached: (session) => tracker.telemetry.delivered.remove({ session }),
      },
    );
    this.#sharedSessions = new SharedSessions({
      cluster: tracker.cluster,
      sessions: this.sessions,
      cursor: () => tracker.journal.cursor,
      log,
    });
    tracker.onReplaced(() => this.#gateways.review());
    const hooks = new Hooks({
      journal: tracker.journal,
      reads: this.#readResources,
      nameOf: (id, uri, caller) => this.#gateways.of(caller).directory.nameOf(id, uri, caller),
      permissionsOf: this.#gateways.permissionsOf,
      clock,
    });
    const userLogins = new UserLogins({
      store: tracker.loginStore,
      fetch,
      challenge: (entry, signal) => loginChallenge(entry, { signal, log }),
      clock,
    });
    this.http = new HubHttp({
      parts: {
        tracker,
        gateways: this.#gateways,
        views: this.#views,
        userLogins,
        sessions: this.sessions,
        sharedSessions: this.#sharedSessions,
        hooks,
        quotas: this.quotas,
        editor: options.editor,
        demo,
        clock,
        log,
      },
      access: httpAccess({
        config: () => tracker.config,
        callers: () => this.#callers.now,
        hosts: [...allowedHosts, ...hostsOf(options.node?.url)],
      }),
      audit: {
        log: audit,
        withArguments: () => tracker.config.audit !== false && tracker.config.audit?.arguments === true,
      },
      readResources: this.#readResources,
      left: (subject, mark, since) => this.#relay.left(subject, mark, since),
      pages: new Pages(pages),
      readiness: () => this.#readiness.state,
      limits: options.limits,
    });
  }

  /** Whether the state of every server is known. */
  get isReady(): boolean {
    return this.#readiness.isReady;
  }

  /** The address at which users reach the hub, as far as the configuration says so. */
  get address(): string {
    const { oauth, hosts = [] } = this.tracker.config;
    const [audience = ''] = oauth?.issuers.map((issuer) => issuer.audience) ?? [];
    const audienceUrl = parsedUrl(audience);
    if (audienceUrl !== undefined) return audienceUrl.origin;
    const [host] = hosts;
    return host === undefined ? this.#bound : `https://${host}`;
  }

  /** Resolves with the bound address, after other nodes know it. */
  async listen(port: number, host: string): Promise<{ host: string; port: number }> {
    const address = await this.http.listen(port, host);
    this.#bound = nodeUrl(address);
    await this.tracker.join(this.#options.node?.url ?? nodeUrl(address));
    return address;
  }

  /** Sends a due notification to an agent session, of this node or another. */
  notify(sessionId: string, due: DueNotification): Promise<void> {
    return this.#sharedSessions.notify(sessionId, due);
  }

  /** Applies an edited configuration. */
  apply(config: Config): void {
    const before = this.tracker.config;
    const detail = changesBetween(before, config);
    this.tracker.apply(config);
    this.audit.record({ who: '-', method: 'configuration', outcome: 'ok', detail });
    const hasOtherAccess = this.#callers.apply(config);
    this.#gateways.review({ hasOtherAccess }, (user) => this.#callers.now.hasSubject(user));
    this.http.review();
  }

  /**
   * Call it before `close` if other nodes continue: `/readyz` fails from now on, and other nodes take over. Once a
   * balancer has noticed, streams end one by one.
   */
  async drain(): Promise<void> {
    this.#readiness.stop();
    if ((this.tracker.cluster?.leases.nodes.length ?? 1) < 2) return;
    await this.tracker.retire();
    await delay(this.#clock, noticeMs);
    await this.http.drain(Math.min(longestDrainMs, this.http.openStreams * drainForEachMs));
  }

  async close(): Promise<void> {
    await this.#sharedSessions.close();
    await this.sessions.close();
    // Concurrently: a client that keeps its connection open must not use up the time that a server process needs to end.
    await Promise.all([this.http.close(), this.tracker.close()]);
    await this.#gateways.close();
    await this.#relay.close();
    this.#readResources.close();
    await this.#views.close();
    await this.#options.builtins.close();
    await this.audit.close();
    this.#slot?.release();
  }
}
