// One attempt to open a session with one server, in the era and over the transport that open-session.ts chose: the
// handshake, then the session with its messages, events and health checks.
import { Client, type Transport } from '@modelcontextprotocol/client';
import type { LiveServer } from '@tidings/live';
import { version } from '@tidings/live/version';
import { sendInTurn, cancellable } from '../../base/cancellable-request.ts';
import type { ServerEntry } from '../../config/config.ts';
import type { EraMemory } from './era-memory.ts';
import { GapLimit } from '../bounds/gap-limit.ts';
import { HealthCheck } from '../session/health-check.ts';
import type { HttpChannel } from '../http/http-channel.ts';
import type { HttpChannelEvents } from '../http/http-channel-events.ts';
import { refuseLargeIntroduction } from '../bounds/introduction-limit.ts';
import { LateAnswer, saysModern } from '../error/late-answer.ts';
import { isTimeout } from '../error/is-timeout.ts';
import { ProcessTransport } from '../process/process-transport.ts';
import { type CallListener, RunningCalls } from '../message/running-calls.ts';
import { updatedUri } from '../message/plain-message.ts';
import { progressFirst } from '../message/progress-first.ts';
import { type SessionClient, everyCapability, present } from '../session/session-client.ts';
import { handleServerMessages } from '../message/server-messages.ts';
import { asSent, withRawInMeta } from '../message/raw-results.ts';
import type { Era, Loss, Session, SessionEvents } from '../session/session.ts';
import { type TransportDeps, sessionTransport, transportKind } from './session-transport.ts';
import { withTaskInMeta } from '../message/task-results.ts';
import { TaskWatches } from '../message/task-watches.ts';
import { UnknownNames } from '../bounds/unknown-names.ts';
import { isUnreadable } from '../bounds/unreadable-message.ts';

export interface SessionDeps extends TransportDeps {
  eras: EraMemory;
  /** How much of `connectMs` the probe for 2026-07-28 may take: a 2025-era server may leave it unanswered. */
  probeMs: number;
}

/** In which era to connect, and whether success proves that the server speaks it. */
export interface AttemptPlan {
  /** Undefined to probe the server. */
  era: 'legacy' | undefined;
  isRemembered: boolean;
  /** Over HTTP with the event stream of 2024-11-05. */
  isOverSse?: boolean;
}

const streamPatienceMs = 3000;
const reportedErrors = 100;

/** Opens at most one session, with its own client and transport. */
export class SessionAttempt {
  readonly #entry: ServerEntry;
  readonly #deps: SessionDeps;
  readonly #events: SessionEvents;
  readonly #presented: SessionClient | undefined;
  #http: HttpChannel | undefined;
  #builtin: LiveServer | undefined;
  #health: HealthCheck | undefined;
  #tasks: TaskWatches | undefined;
  readonly #unreadable: GapLimit;
  readonly #unknown: UnknownNames;
  #isOpen = false;
  #messageAt = 0;
  /** Forwarded requests without an answer, oldest first, by their start. */
  readonly #requests = new Map<object, number>();
  readonly #calls: RunningCalls;
  /** Whether the server's process ended during the handshake. */
  hasEnded = false;

  constructor(entry: ServerEntry, deps: SessionDeps, events: SessionEvents, presented?: SessionClient) {
    this.#entry = entry;
    this.#deps = deps;
    this.#events = events;
    this.#presented = presented;
    this.#calls = new RunningCalls({ isPipe: 'command' in entry });
    const gap = () => this.#ifOpen(() => events.gap());
    this.#unreadable = new GapLimit(deps.clock, gap);
    this.#unknown = new UnknownNames(deps.clock, gap);
  }

  async open(signal: AbortSignal, plan: AttemptPlan): Promise<Session> {
    const transport = await this.#transport(plan);
    const client = this.#client();
    const era = await this.#connect(client, transport, signal, plan);
    if (era === 'legacy') await this.#http?.stream.openedOrRefused({ ms: streamPatienceMs, signal });
    else this.#http?.stream.stop();
    this.#isOpen = true;
    const tasks = new TaskWatches(client, transport, this.#deps.clock);
    this.#tasks = tasks;
    this.#interceptMessages(transport, tasks);
    const reached = { client, era, transport: transportKind(this.#entry) } as const;
    const health = this.#watchHealth(reached, transport);
    let reported = 0;
    client.onerror = (error) => {
      if (isUnreadable(error)) this.#unreadable.report();
      // Bounded, so that a server that sends only invalid messages cannot fill the log.
      reported += 1;
      if (reported > reportedErrors) return;
      this.#deps.log.info({ err: error }, 'A message could not be read or sent.');
    };
    const [http, builtin] = [this.#http, this.#builtin];
    const stopListening = builtin?.trouble.onChange(() => this.#ifOpen(() => this.#events.troubleChanged()));
    return {
      ...reached,
      pid: transport instanceof ProcessTransport ? (transport.pid ?? undefined) : undefined,
      capabilities: client.getServerCapabilities() ?? {},
      get delivery() {
        return era === 'legacy' && http !== undefined ? http.stream.delivery : 'open';
      },
      trouble: builtin?.trouble,
      heardAt: () => http?.liveness.heardAt ?? this.#messageAt,
      silentSince: () => http?.liveness.silentSince,
      endSilentStreams: (since) => http?.liveness.endSilent(since),
      expectNotifications: (isExpecting) => health.expect(isExpecting),
      checkHealth: () => health.checkNow(),
      subscribe: async (uri, answerMs) => {
        if (!(await http?.subscribe(uri, answerMs))) await client.subscribeResource({ uri }, { timeout: answerMs });
      },
      read: (uri, answerMs, copies) => {
        // With `readResource`, the SDK would remember every URI that was ever read, even without its cache.
        const request = { method: 'resources/read' as const, params: { uri } };
        const throughSdk = () =>
          cancellable(async (signal) => asSent(await client.request(request, { timeout: answerMs, signal })));
        const plain = http?.read(uri, era, answerMs, copies);
        return plain ? sendInTurn(plain, throughSdk) : throughSdk();
      },
      watchTasks: (taskIds, watcher) => tasks.watch(taskIds, watcher),
      work: (on, listener) => this.#request(client, on, listener),
      fail: (reason) => this.#lose(reason),
      close: async () => {
        health.stop();
        stopListening?.();
        this.#unreadable.stop();
        this.#unknown.stop();
        tasks.close();
        this.#isOpen = false;
        await http?.end();
        await client.close();
        await transport.close();
      },
    };
  }

  async #connect(client: Client, transport: Transport, signal: AbortSignal, plan: AttemptPlan): Promise<Era> {
    const { clock, connectMs, probeMs, eras } = this.#deps;
    const started = clock.now();
    // The client keeps this handler and calls it before its own.
    let isModern = false;
    transport.onmessage = (message) => {
      this.#messageAt = clock.now();
      isModern ||= saysModern(message);
    };
    client.onclose = () => this.#closed(transport);
    // Closes the transport, because the client would wait for an answer before it gives up.
    const giveUp = () => void transport.close();
    signal.addEventListener('abort', giveUp);
    try {
      const prior = plan.era === undefined ? {} : { prior: { kind: plan.era } };
      await client.connect(transport, { ...prior, timeout: connectMs, signal });
    } catch (error) {
      // After a timeout it was ended by the client.
      this.hasEnded = !isTimeout(error) && transport instanceof ProcessTransport && transport.isClosed;
      this.#http?.stream.stop();
      await transport.close();
      throw this.hasEnded && transport instanceof ProcessTransport ? new Error(transport.reason) : error;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
    await refuseLargeIntroduction(client, transport);
    this.#messageAt = clock.now();
    const era = client.getProtocolEra() === 'modern' ? 'modern' : 'legacy';
    if (era === 'legacy' && isModern && probeMs < connectMs) {
      await client.close();
      await transport.close();
      throw new LateAnswer();
    }
    const isSure = era === 'modern' || (plan.isRemembered && clock.now() - started < probeMs);
    if (isSure) eras.set(this.#entry, era);
    return era;
  }

  /** Handles plain updates without the SDK, where validating an update costs more than notifying all watchers. */
  #interceptMessages(transport: Transport, tasks: TaskWatches): void {
    const { onmessage } = transport;
    const receive = progressFirst((message, extra) => onmessage?.(message, extra));
    transport.onmessage = (message, extra) => {
      const uri = updatedUri(message);
      if (uri === undefined) {
        if (!tasks.takes(message)) receive(withRawInMeta(withTaskInMeta(message)), extra);
        return;
      }
      this.#updated(uri);
    };
  }

  #updated(uri: string): void {
    this.#messageAt = this.#deps.clock.now();
    if (!this.#events.updated(uri)) this.#unknown.report(uri);
  }

  #watchHealth(reached: Pick<Session, 'client' | 'era' | 'transport'>, transport: Transport): HealthCheck {
    this.#health = new HealthCheck(
      {
        ...reached,
        busySince: () => this.#requests.values().next().value,
        messageAt: () => this.#messageAt,
        recovered: (since) => {
          this.#http?.renewSilent(since);
          if (transport instanceof ProcessTransport) transport.resend();
        },
        lost: (reason, loss) => this.#lose(reason, loss),
      },
      this.#deps,
    );
    return this.#health;
  }

  async #request<T>(client: Client, on: (client: Client) => Promise<T>, listener?: CallListener): Promise<T> {
    const request = {};
    this.#requests.set(request, this.#deps.clock.now());
    try {
      return await (listener ? this.#calls.run(listener, () => on(client)) : on(client));
    } finally {
      this.#requests.delete(request);
    }
  }

  #client(): Client {
    const { sessionPerCaller } = this.#entry;
    const capabilities = this.#presented?.capabilities ?? (sessionPerCaller ? everyCapability : undefined);
    const client = new Client(this.#presented?.info ?? { name: 'tidings', version }, {
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: this.#probeMs } },
      ...(capabilities && { capabilities }),
    });
    if (this.#presented) present(client, this.#presented);
    handleServerMessages(client, {
      calls: this.#calls,
      updated: (uri) => this.#updated(uri),
      listChanged: (list) => this.#events.listChanged(list),
      taskChanged: (params) => this.#tasks?.changed(params),
      unknown: (method) => this.#unknown.report(method),
    });
    return client;
  }

  get #probeMs(): number {
    const { connectMs, probeMs } = this.#deps;
    return Math.min(probeMs, connectMs);
  }

  async #transport({ isOverSse = false }: AttemptPlan): Promise<Transport> {
    const { transport, http, builtin } = await sessionTransport(
      this.#entry,
      this.#deps,
      this.#transportEvents(),
      isOverSse,
    );
    this.#http = http;
    this.#builtin = builtin;
    return transport;
  }

  #transportEvents(): HttpChannelEvents {
    return {
      gap: () => this.#ifOpen(() => this.#events.gap()),
      heard: () => void (this.#messageAt = this.#deps.clock.now()),
      updated: (uri) => {
        if (this.#isOpen) this.#updated(uri);
        return this.#isOpen;
      },
      unreadable: () => this.#unreadable.report(),
      deliveryChanged: () => this.#ifOpen(() => this.#events.deliveryChanged()),
      lost: (reason) => this.#lose(reason),
      failed: () => this.#health?.checkNow(),
    };
  }

  #closed(transport: Transport): void {
    this.#lose(transport instanceof ProcessTransport ? transport.reason : 'The server closed the connection.');
  }

  #ifOpen(tell: () => void): void {
    if (this.#isOpen) tell();
  }

  #lose(reason: string, loss?: Loss): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#events.lost(reason, loss);
  }
}
