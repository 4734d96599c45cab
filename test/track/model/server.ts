// A server that sends responses and notifications only when the test says so. It has contents, subscriptions, and
// messages under way, which are lost with a stream or a session.
import { InMemoryTransport, type McpSubscription, type SubscriptionFilter } from '@modelcontextprotocol/client';
import type { FakeClock } from '@tidings/live/testing';
import { z } from 'zod';
import { cancellable } from '../../../packages/track/src/base/cancellable-request.ts';
import type { OpenSession, Session, SessionEvents } from '../../../packages/track/src/connection/session/session.ts';
import { ModelClient } from './model-client.ts';

const requestSchema = z.object({
  id: z.union([z.number(), z.string()]).optional(),
  method: z.string(),
  params: z.object({ uri: z.string().default('') }).default({ uri: '' }),
});
const notFound = { code: -32002, message: 'No such resource.' };
const failure = { code: -32603, message: 'It failed.' };
const notKnown = { code: -32601, message: 'Method not found' };

type Answer = { result: Record<string, unknown> } | { error: { code: number; message: string } };

interface Request {
  uri: string;
  /** The content when the request arrived. */
  before: string | undefined;
  answer(text: string | undefined): void;
}

interface Listening {
  uris: Set<string>;
  end(cause: 'local' | 'remote'): void;
}

type Notification = { uri: string } | 'list_changed';

export class ModelServer {
  readonly clock: FakeClock;
  readonly contents = new Map<string, string>();
  era: Session['era'] = 'legacy';
  canSubscribe = true;
  #isUp = true;
  #untilUp: (() => void)[] = [];
  /** Reads wait until the test answers them, one by one. */
  isSlow = false;
  requests: Request[] = [];
  /** Subscriptions wait for their response. */
  #isHolding = false;
  #held: (() => void)[] = [];
  /** The number of reads that will fail from now on. */
  failsReads = 0;
  /** Lists are answered as by a server without that method. */
  refusesLists = false;
  /** `silent`: dead, but the client has not noticed. `broken`: the client has noticed. */
  stream: 'open' | 'silent' | 'broken' = 'open';
  #wire: Notification[] = [];
  #events: SessionEvents | undefined;
  #far: InMemoryTransport | undefined;
  #subscribed = new Set<string>();
  #listening = new Set<Listening>();
  #heardAt = 0;
  readonly #timesTold = new Map<string, number>();
  /** Reads return the content of this long ago, but nothing older than an earlier read returned. */
  lagMs = 0;
  #shownAt = Number.NEGATIVE_INFINITY;
  /** The `ttlMs` of its responses. */
  ttlMs: number | undefined;
  /** Earlier contents, each with the time until which they were current. */
  readonly #past: { until: number; contents: ReadonlyMap<string, string> }[] = [];

  constructor(clock: FakeClock) {
    this.clock = clock;
  }

  readonly open: OpenSession = async (_signal, events) => {
    if (!this.#isUp) throw new Error('The server is unavailable.');
    // It has one session at a time.
    this.loseSession();
    const [near, far] = InMemoryTransport.createLinkedPair();
    this.#far = far;
    far.onmessage = (message) => {
      const { id, method, params } = requestSchema.parse(message);
      if (id === undefined) return;
      // A request whose connection is gone gets no response.
      const send = (answer: Answer) => void far.send({ jsonrpc: '2.0', id, ...answer }).catch(() => undefined);
      this.#receive(method, params.uri, send);
    };
    await far.start();
    const client = new ModelClient(this, () => this.#events === events);
    await client.connect(near);
    this.#events = events;
    return {
      client,
      era: this.era,
      transport: 'http',
      pid: undefined,
      capabilities: { resources: { subscribe: this.canSubscribe, listChanged: true } },
      delivery: 'open',
      trouble: undefined,
      heardAt: () => this.#heardAt,
      silentSince: () => (this.stream === 'broken' ? undefined : this.#heardAt),
      endSilentStreams: (since) => {
        if (this.#heardAt >= since) return;
        this.cut();
        this.restore();
      },
      expectNotifications: () => undefined,
      checkHealth: () => undefined,
      watchTasks: () => Promise.reject(new Error('This server has no tasks.')),
      subscribe: async (uri, timeout) => void (await client.subscribeResource({ uri }, { timeout })),
      read: (uri, timeout) =>
        cancellable((signal) => client.request({ method: 'resources/read', params: { uri } }, { timeout, signal })),
      work: async (on) => on(client),
      fail: (reason) => events.lost(reason),
      close: async () => {
        if (this.#events === events) this.#reset();
        await client.close();
      },
    };
  };

  get isUp(): boolean {
    return this.#isUp;
  }

  set isUp(isUp: boolean) {
    this.#isUp = isUp;
    if (isUp) for (const tell of this.#untilUp.splice(0)) tell();
  }

  /** Resolves when it accepts connections again. */
  untilUp(): Promise<void> {
    return new Promise((resolve) => void this.#untilUp.push(resolve));
  }

  // Requests of the client.

  #receive(method: string, uri: string, send: (answer: Answer) => void): void {
    const resources = [...this.contents.keys()].map((each) => ({ uri: each, name: each }));
    if (method === 'initialize') {
      const serverInfo = { name: 'model', version: '1.0.0' };
      send({ result: { protocolVersion: '2025-06-18', capabilities: { resources: { subscribe: true } }, serverInfo } });
    } else if (method === 'resources/list') send(this.refusesLists ? { error: notKnown } : { result: { resources } });
    else if (method === 'resources/read') this.#read(uri, send);
    else if (method === 'resources/subscribe') {
      void this.untilAgreed().then(() => {
        this.#subscribed.add(uri);
        send({ result: {} });
      });
    } else if (method === 'resources/unsubscribe') {
      this.#subscribed.delete(uri);
      send({ result: {} });
    } else send({ error: notKnown });
  }

  #read(uri: string, send: (answer: Answer) => void): void {
    if (this.failsReads > 0) {
      this.failsReads -= 1;
      return send({ error: failure });
    }
    const answer = (text: string | undefined) =>
      send(text === undefined ? { error: notFound } : { result: { contents: [{ uri, text }], ttlMs: this.ttlMs } });
    this.#shownAt = Math.max(this.#shownAt, this.clock.now() - this.lagMs);
    const shown = this.#past.find(({ until }) => until > this.#shownAt)?.contents ?? this.contents;
    const before = shown.get(uri);
    if (this.isSlow) this.requests.push({ uri, before, answer });
    else answer(before);
  }

  hold(): void {
    this.#isHolding = true;
  }

  agree(): void {
    this.#isHolding = false;
    for (const go of this.#held.splice(0)) go();
  }

  /** Resolves when subscriptions are answered; never, if the session is lost before that. */
  untilAgreed(): Promise<void> {
    return this.#isHolding ? new Promise((resolve) => void this.#held.push(resolve)) : Promise.resolve();
  }

  listen(filter: SubscriptionFilter): McpSubscription {
    if (this.stream === 'broken') throw new Error('The network is down.');
    let settle: (cause: 'local' | 'remote') => void = () => undefined;
    const closed = new Promise<'local' | 'remote'>((resolve) => (settle = resolve));
    const listening: Listening = {
      uris: new Set(filter.resourceSubscriptions),
      end: (cause) => {
        this.#listening.delete(listening);
        settle(cause);
      },
    };
    this.#listening.add(listening);
    this.#heardAt = this.clock.now();
    return { honoredFilter: filter, closed, close: async () => listening.end('local') };
  }

  // Events of the test.

  put(uri: string, text: string): void {
    this.#keepPast();
    this.contents.set(uri, text);
    if (this.#tells(uri)) this.#notify({ uri });
  }

  /** Removes a resource and, like most servers, its subscriptions. */
  vanish(uri: string): void {
    this.#keepPast();
    this.contents.delete(uri);
    this.#subscribed.delete(uri);
    for (const { uris } of this.#listening) uris.delete(uri);
    this.#notify('list_changed');
  }

  appear(uri: string, text: string): void {
    this.#keepPast();
    this.contents.set(uri, text);
    this.#notify('list_changed');
  }

  /** The next notification arrives. */
  deliver(): void {
    const next = this.#wire.shift();
    if (next === undefined) return;
    this.#heardAt = this.clock.now();
    if (next === 'list_changed') this.#events?.listChanged('resources');
    else {
      this.#timesTold.set(next.uri, this.timesTold(next.uri) + 1);
      this.#events?.updated(next.uri);
    }
  }

  /** The number of notifications about it that have arrived. */
  timesTold(uri: string): number {
    return this.#timesTold.get(uri) ?? 0;
  }

  deliverAll(): void {
    while (this.#wire.length > 0) this.deliver();
    if (this.stream === 'open') this.#heardAt = this.clock.now();
  }

  /** Messages under way and later ones are lost, and neither side has noticed. */
  silence(): void {
    if (this.stream === 'open') this.stream = 'silent';
    this.#wire = [];
  }

  /** The client notices that the stream has ended. */
  cut(): void {
    this.silence();
    this.stream = 'broken';
    for (const listening of this.#listening) listening.end('remote');
  }

  restore(): void {
    if (this.stream === 'silent') this.cut();
    if (this.stream === 'open') return;
    this.stream = 'open';
    if (this.era === 'legacy') this.#events?.gap();
  }

  loseSession(): void {
    const events = this.#events;
    this.#reset();
    events?.lost('The connection was lost.');
  }

  answerNext(kind: 'old' | 'new'): void {
    const request = this.requests.shift();
    request?.answer(kind === 'old' ? request.before : this.contents.get(request.uri));
  }

  #keepPast(): void {
    this.#past.push({ until: this.clock.now(), contents: new Map(this.contents) });
  }

  #tells(uri: string): boolean {
    return this.#subscribed.has(uri) || [...this.#listening].some(({ uris }) => uris.has(uri));
  }

  #notify(notification: Notification): void {
    const canListen = this.era === 'legacy' || this.#listening.size > 0;
    if (this.stream === 'open' && this.#events !== undefined && canListen) this.#wire.push(notification);
  }

  #reset(): void {
    this.#events = undefined;
    this.#wire = [];
    this.#subscribed = new Set();
    this.#held = [];
    for (const listening of this.#listening) listening.end('remote');
    this.requests = [];
    void this.#far?.close();
    this.#far = undefined;
    this.stream = 'open';
    this.#heardAt = this.clock.now();
  }
}
