// The bus over NATS core subjects. A process has one subscription for each wanted topic, for any number of wants, and
// keeps it for a moment after the last want has ended, since clients that reconnect want the same topics again.
import {
  type Bus,
  type Clock,
  LiveError,
  type Log,
  type Timer,
  type Want,
  stderrLog,
  systemClock,
} from '@tidings/live';
import { type NatsConnection, type Subscription, connect } from '@nats-io/transport-node';
import { parsedJson } from '@tidings/live/portable';
import { manySubject, subjectOf } from './subject.ts';

/** Options of the bus. Defaults: real time, log on stderr, one second of linger. */
export interface NatsBusOptions {
  /** Default: real time. */
  clock?: Clock;
  /** Where failures are reported. Default: `stderrLog`. */
  log?: Log;
  /** How long a subscription is kept after its last want has ended. Default: 1 s. */
  lingerMs?: number;
}

type ChangeListener = (topics: readonly string[] | undefined) => void;

interface WantedSubject {
  readonly listeners: Set<ChangeListener>;
  subscription: Subscription | undefined;
  ready: Promise<void>;
  linger: Timer | undefined;
}

/** The content of a message: a change is published once for each of its topics, each time with the same id. */
interface PublishedChange {
  readonly id: string;
  readonly topics: readonly string[];
}

/** A change with more topics is published once, on a subject to which every process with a want subscribes. */
const mostSubjects = 64;
/** NATS refuses messages over a megabyte. A message without topics counts as a change of every topic of its subject. */
const longestMessage = 32 * 1024;
const reconnectMs = 250;
/** A connection whose peer is silent for two of these intervals is reopened. */
const pingMs = 2000;

/**
 * Connects in the background and again whenever the connection is lost: an unavailable server delays nothing.
 * @example
 * const bus = openNatsBus('nats://127.0.0.1:4222');
 */
export function openNatsBus(url: string, options: NatsBusOptions = {}): Bus {
  return new NatsBus(url, options);
}

class NatsBus implements Bus {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #lingerMs: number;
  /** By subject. */
  readonly #wanted = new Map<string, WantedSubject>();
  readonly #gapListeners = new Set<() => void>();
  /** Part of each id, to distinguish it from ids of other processes. */
  readonly #life = crypto.randomUUID();
  #published = 0;
  #lastHeard: PublishedChange | undefined;
  #connection: NatsConnection | undefined;
  #isClosed = false;

  constructor(url: string, { clock = systemClock, log = stderrLog, lingerMs = 1000 }: NatsBusOptions) {
    this.#clock = clock;
    this.#log = log;
    this.#lingerMs = lingerMs;
    void this.#connect(connectionOf(url));
  }

  publish(space: string, topics: readonly string[]): void {
    const connection = this.#connection;
    // Nothing is retried: a bus may lose messages.
    if (connection === undefined || connection.isClosed() || topics.length === 0) return;
    this.#published += 1;
    const change: PublishedChange = { id: `${this.#life}.${this.#published}`, topics };
    const text = JSON.stringify(change);
    const message = text.length > longestMessage ? '' : text;
    const subjects =
      topics.length > mostSubjects ? [manySubject(space)] : new Set(topics.map((topic) => subjectOf(space, topic)));
    for (const subject of subjects) connection.publish(subject, message);
  }

  want(space: string, topic: string, changed: ChangeListener): Want {
    const ends = [this.#wantSubject(subjectOf(space, topic), changed), this.#wantSubject(manySubject(space), changed)];
    return {
      ready: Promise.all(ends.map(({ ready }) => ready)).then(() => undefined),
      end: () => {
        for (const { end } of ends) end();
      },
    };
  }

  onGap(listener: () => void): () => void {
    this.#gapListeners.add(listener);
    return () => this.#gapListeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { linger } of this.#wanted.values()) linger?.cancel();
    this.#wanted.clear();
    await this.#connection?.close();
  }

  #wantSubject(subject: string, changed: ChangeListener): Want {
    const wanted = this.#wanted.get(subject) ?? this.#add(subject);
    wanted.linger?.cancel();
    wanted.linger = undefined;
    // A separate listener for each want, even of the same function.
    const listener: ChangeListener = (topics) => changed(topics);
    wanted.listeners.add(listener);
    return {
      ready: wanted.ready,
      end: () => {
        if (!wanted.listeners.delete(listener) || wanted.listeners.size > 0) return;
        wanted.linger = this.#clock.after(this.#lingerMs, () => this.#drop(subject, wanted));
      },
    };
  }

  #add(subject: string): WantedSubject {
    const wanted: WantedSubject = {
      listeners: new Set(),
      subscription: undefined,
      ready: Promise.resolve(),
      linger: undefined,
    };
    this.#wanted.set(subject, wanted);
    if (this.#connection) this.#subscribe(this.#connection, subject, wanted);
    return wanted;
  }

  #drop(subject: string, wanted: WantedSubject): void {
    this.#wanted.delete(subject);
    wanted.subscription?.unsubscribe();
  }

  #subscribe(connection: NatsConnection, subject: string, wanted: WantedSubject): void {
    const callback = (error: Error | null, message: { string(): string }) => {
      const topics = error === null ? this.#topicsIn(message.string()) : undefined;
      for (const listener of wanted.listeners) listener(topics);
    };
    wanted.subscription = connection.subscribe(subject, { callback });
    // The server's answer follows the subscription; after a lost connection, the reconnection is a gap anyway.
    wanted.ready = connection.flush().catch(() => undefined);
  }

  /** The same list for all messages of one change, so that listeners recognise it. */
  #topicsIn(message: string): readonly string[] | undefined {
    const change = changeIn(message);
    if (change === undefined) return undefined;
    if (change.id === this.#lastHeard?.id) return this.#lastHeard.topics;
    this.#lastHeard = change;
    return change.topics;
  }

  async #connect(options: Parameters<typeof connect>[0]): Promise<void> {
    try {
      const connection = await connect({
        ...options,
        name: 'tidings',
        noEcho: true,
        waitOnFirstConnect: true,
        maxReconnectAttempts: -1,
        reconnectTimeWait: reconnectMs,
        pingInterval: pingMs,
        maxPingOut: 2,
        ignoreAuthErrorAbort: true,
      });
      if (this.#isClosed) return await connection.close();
      this.#connection = connection;
      for (const [subject, wanted] of this.#wanted) this.#subscribe(connection, subject, wanted);
      void this.#watch(connection);
      // Changes before the connection were missed.
      this.#reportGap();
    } catch (error) {
      if (!this.#isClosed)
        this.#log.error(
          { err: error },
          'NATS cannot be used, so changes of other nodes arrive with a delay. Check its address and login.',
        );
    }
  }

  /** The NATS client resubscribes by itself; messages published meanwhile are lost. */
  async #watch(connection: NatsConnection): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect') this.#log.warn({}, 'The connection to NATS was lost; connecting again.');
      if (type === 'reconnect' || type === 'slowConsumer' || type === 'staleConnection') this.#reportGap();
    }
  }

  #reportGap(): void {
    for (const listener of this.#gapListeners) listener();
  }
}

function changeIn(message: string): PublishedChange | undefined {
  const { id, topics }: { id?: unknown; topics?: unknown } = Object(parsedJson(message));
  if (typeof id !== 'string' || !Array.isArray(topics)) return undefined;
  return topics.every((topic) => typeof topic === 'string') ? { id, topics } : undefined;
}

/** Addresses of several servers are separated by commas; user and password, or a token, may be in the first. */
function connectionOf(url: string): Parameters<typeof connect>[0] {
  try {
    const urls = url.split(',').map((each) => new URL(each.trim()));
    if (urls.some(({ protocol }) => protocol !== 'nats:' && protocol !== 'tls:')) throw new TypeError();
    const [user, pass] = [urls[0]?.username ?? '', urls[0]?.password ?? ''].map(decodeURIComponent);
    return {
      servers: urls.map(({ host }) => host),
      ...(user && (pass ? { user, pass } : { token: user })),
      ...(urls.some(({ protocol }) => protocol === 'tls:') && { tls: {} }),
    };
  } catch {
    throw new LiveError('INVALID_PARAMS', 'The bus is an address such as nats://127.0.0.1:4222.');
  }
}
