// Opens a session with a configured server, whichever way it is reached and whichever era it speaks.
import { Client, type Transport } from '@modelcontextprotocol/client';
import { type Clock, type ListName, type LiveServer, serveMemory } from '@tidings/live';
import type { ServerEntry, UrlEntry } from '../config/config.ts';
import type { EraMemory } from './era-memory.ts';
import { HealthCheck, type HealthSurroundings } from './health-check.ts';
import { HttpTransport } from './http-transport.ts';
import { withLogin } from './login.ts';
import { observedFetch } from './observed-fetch.ts';
import { ProcessTransport } from './process-transport.ts';
import type { ProcessSurroundings } from './server-process.ts';
import type { OpenSession, Session, SessionEvents } from './session.ts';
import { StreamPulse } from './stream-pulse.ts';

export type Builtins = Readonly<Record<string, () => LiveServer | Promise<LiveServer>>>;

export interface SessionSurroundings extends ProcessSurroundings, HealthSurroundings {
  builtins: Builtins;
  fetch: typeof fetch;
  eras: EraMemory;
  maxMessageBytes: number;
  /** How long the handshake may take. */
  connectMs: number;
}

/** A 2025-era server that does not know the question may leave it unanswered. */
const probeMs = 3000;
const streamPatienceMs = 5000;

export function sessionOpener(entry: ServerEntry, surroundings: SessionSurroundings): OpenSession {
  return async (signal, events) => {
    const known = surroundings.eras.get(entry);
    const attempt = new Attempt(entry, surroundings, events);
    try {
      return await attempt.open(signal, known);
    } catch (error) {
      // Some 2025-era servers end at a request they do not know: then that question was the mistake.
      if (!attempt.endedEarly || known !== undefined || signal.aborted) throw error;
      return await new Attempt(entry, surroundings, events).open(signal, 'legacy');
    }
  };
}

/** One try to open a session: a client on a transport of its own. */
class Attempt {
  readonly #entry: ServerEntry;
  readonly #surroundings: SessionSurroundings;
  readonly #events: SessionEvents;
  #isOpen = false;
  #stream: 'unknown' | 'open' | 'broken' | 'none' = 'unknown';
  #streamKnown: () => void = () => undefined;
  #messageAt = 0;
  readonly #pulse: StreamPulse;
  endedEarly = false;

  constructor(entry: ServerEntry, surroundings: SessionSurroundings, events: SessionEvents) {
    this.#entry = entry;
    this.#surroundings = surroundings;
    this.#events = events;
    const { clock, health } = surroundings;
    this.#pulse = new StreamPulse({ clock, shortestMs: health.shortestPulseMs });
  }

  async open(signal: AbortSignal, known: 'legacy' | undefined): Promise<Session> {
    const { clock, connectMs, eras, log } = this.#surroundings;
    const transport = await this.#transport();
    const client = this.#client();
    // The client keeps what it finds here, and calls it first.
    transport.onmessage = () => void (this.#messageAt = clock.now());
    const streamSettled = new Promise<void>((resolve) => {
      this.#streamKnown = resolve;
    });
    const started = clock.now();
    client.onclose = () => this.#closed(transport);
    // Otherwise the client would first wait for an answer.
    const giveUp = () => void transport.close();
    signal.addEventListener('abort', giveUp);
    try {
      const prior = known === undefined ? {} : { prior: { kind: known } };
      await client.connect(transport, { ...prior, timeout: connectMs, signal });
    } catch (error) {
      this.endedEarly = transport instanceof ProcessTransport && transport.isClosed;
      await transport.close();
      throw this.endedEarly && transport instanceof ProcessTransport ? new Error(transport.reason) : error;
    }
    signal.removeEventListener('abort', giveUp);
    this.#messageAt = clock.now();
    const era = client.getProtocolEra() === 'modern' ? 'modern' : 'legacy';
    // Silence proves nothing: a slow start must not be remembered as an old era.
    if (era === 'modern' || clock.now() - started < probeMs) eras.set(this.#entry, era);
    if (era === 'legacy' && transport instanceof HttpTransport) await this.#waitForStream(streamSettled);
    this.#isOpen = true;
    const reached = { client, era, transport: kindOf(this.#entry) } as const;
    let works = 0;
    const health = new HealthCheck(
      reached,
      this.#surroundings,
      () => works > 0,
      (reason) => this.#lose(reason),
    );
    client.onerror = (error) => log.info({ error }, 'Something could not be understood or sent.');
    return {
      ...reached,
      pid: transport instanceof ProcessTransport ? (transport.pid ?? undefined) : undefined,
      capabilities: client.getServerCapabilities() ?? {},
      delivers: era === 'modern' || this.#stream !== 'none',
      heardAt: () => (transport instanceof HttpTransport ? this.#pulse.heardAt : this.#messageAt),
      work: async (on) => {
        works += 1;
        try {
          return await on(client);
        } finally {
          works -= 1;
        }
      },
      fail: (reason) => this.#lose(reason),
      close: async () => {
        health.stop();
        this.#isOpen = false;
        if (transport instanceof HttpTransport) await endSession(transport, clock);
        await client.close();
        await transport.close();
      },
    };
  }

  #client(): Client {
    const client = new Client(
      { name: 'tidings', version: '0.1.0' },
      { versionNegotiation: { mode: 'auto', probe: { timeoutMs: probeMs } } },
    );
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => this.#events.updated(params.uri));
    for (const list of ['resources', 'tools', 'prompts'] as const satisfies readonly ListName[]) {
      client.setNotificationHandler(`notifications/${list}/list_changed`, () => this.#events.listChanged(list));
    }
    return client;
  }

  async #transport(): Promise<Transport> {
    const entry = this.#entry;
    if ('command' in entry) return new ProcessTransport(entry, this.#surroundings, this.#surroundings.maxMessageBytes);
    if ('url' in entry) return this.#http(withLogin(entry));
    const create = this.#surroundings.builtins[entry.builtin];
    if (create === undefined) {
      const names = Object.keys(this.#surroundings.builtins).join(', ') || 'none';
      throw new Error(`There is no built-in server "${entry.builtin}". Built in: ${names}.`);
    }
    return serveMemory(await create());
  }

  #http({ url, headers }: UrlEntry): Transport {
    const { fetch, maxMessageBytes } = this.#surroundings;
    const observed = observedFetch(fetch, {
      observer: {
        streamOpened: () => this.#streamIs('open'),
        streamEnded: () => this.#streamIs('broken'),
        streamRefused: (status) => this.#streamRefused(status),
        sessionGone: () => this.#lose('The server has forgotten our session; it was probably restarted.'),
      },
      pulse: this.#pulse,
      maxBytes: maxMessageBytes,
    });
    return new HttpTransport(new URL(url), {
      requestInit: { headers },
      fetch: observed,
      reconnectionOptions: {
        initialReconnectionDelay: 100,
        maxReconnectionDelay: 1000,
        reconnectionDelayGrowFactor: 2,
        maxRetries: 1,
      },
    });
  }

  #streamIs(state: 'open' | 'broken'): void {
    // What was told while there was no stream may be lost.
    if (state === 'open' && this.#stream === 'broken' && this.#isOpen) this.#events.gap();
    this.#stream = state;
    this.#streamKnown();
  }

  #streamRefused(status: number): void {
    if (status === 405) this.#stream = 'none';
    this.#streamKnown();
    if (status !== 405)
      this.#lose(`The stream of notifications was refused (${status === 0 ? 'network' : `HTTP ${status}`}).`);
  }

  /** The client asks for the stream by itself, after the handshake. */
  async #waitForStream(settled: Promise<void>): Promise<void> {
    const { clock } = this.#surroundings;
    await Promise.race([settled, new Promise<void>((resolve) => void clock.after(streamPatienceMs, resolve))]);
  }

  #closed(transport: Transport): void {
    this.#lose(transport instanceof ProcessTransport ? transport.reason : 'The server closed the connection.');
  }

  #lose(reason: string): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#events.lost(reason);
  }
}

function kindOf(entry: ServerEntry): Session['transport'] {
  return 'command' in entry ? 'stdio' : 'url' in entry ? 'http' : 'memory';
}

/** A session nobody ends stays with the server for half an hour. */
async function endSession(transport: HttpTransport, clock: Clock): Promise<void> {
  const late = new Promise<void>((resolve) => void clock.after(1000, resolve));
  await Promise.race([transport.terminateSession().catch(() => undefined), late]);
}
