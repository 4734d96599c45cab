// Opens a session with one server, without a tracker: for a program that sends a few requests and exits.
import { type Clock, LiveError, systemClock } from '@tidings/live';
import { unlessAborted } from '@tidings/live/time';
import type { ServerEntry } from './config/config.ts';
import { type TrackerLog, logFor } from './base/log.ts';
import { defaultSettings } from './options/settings.ts';
import { concealed, concealedLog } from './connection/open/concealed.ts';
import { concealer } from './connection/error/concealer.ts';
import { Logins } from './login/logins.ts';
import type { LoginStore } from './login/login-store.ts';
import { MemoryLoginStore } from './login/memory-login-store.ts';
import { EraMemory } from './connection/open/era-memory.ts';
import { ignoredEvents } from './connection/session/ignored-events.ts';
import { sessionOpener } from './connection/open/open-session.ts';
import type { Builtins } from './connection/open/session-transport.ts';
import type { Session } from './connection/session/session.ts';
import { StderrTail } from './connection/process/stderr-tail.ts';
import { Watchdog } from './connection/process/watchdog.ts';

/** How to open a session. Only `signal` and `log` are required. */
export interface ConnectOptions {
  /** Ends the attempt, and a process that was started for it. */
  signal: AbortSignal;
  log: TrackerLog;
  /**
   * Called when the session is lost: `work` rejects with the error that is returned here. The session must still be
   * closed. Default: an error with the code UNAVAILABLE.
   */
  lost?(this: void, reason: string): Error;
  /** The servers that `builtin` entries name. Default: none. */
  builtins?: Builtins;
  /** Larger messages from the server are refused. Default: 16 MiB. */
  maxMessageBytes?: number;
  /** Where a server process gets its PATH, HOME and locale from. Default: `process.env`. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Where the login at the server is stored. Default: nowhere. */
  logins?: LoginStore;
  /** Default: the global `fetch`. */
  fetch?: typeof fetch;
  /** Default: real time. */
  clock?: Clock;
}

/** A session with one server: the SDK's client, and how to end it. */
export type ServerSession = Pick<Session, 'client' | 'era' | 'capabilities' | 'work' | 'close'>;

/**
 * Opens a session in the era that the server supports. Rejects with a `ConnectFailure`. Closing the session ends a
 * process that was started for it.
 *
 * @example
 * const session = await connectServer(entry, { signal, log: stderrLog });
 * const tools = await listAll(session.client, 'tools', { clock: systemClock });
 * await session.close();
 */
export async function connectServer(entry: ServerEntry, options: ConnectOptions): Promise<ServerSession> {
  const { signal, clock = systemClock, env = process.env, builtins = {} } = options;
  const { connectMs, probeMs, health } = defaultSettings;
  const given = options.fetch ?? fetch;
  const logins = new Logins({ store: options.logins ?? new MemoryLoginStore(), fetch: given, clock });
  const login = logins.of(entry);
  const conceal = concealer(entry, login);
  const watchdog = new Watchdog();
  const end = () => {
    watchdog.close();
    logins.close();
  };
  const open = sessionOpener(entry, {
    builtins,
    clock,
    random: Math.random,
    fetch: given,
    login,
    eras: new EraMemory(clock, new Map(), () => undefined),
    maxMessageBytes: options.maxMessageBytes ?? defaultSettings.maxMessageBytes,
    connectMs,
    probeMs,
    health,
    keepAlive: { ms: undefined },
    log: concealedLog(logFor(options.log, entry.id), conceal),
    env,
    watchdog,
    stderr: new StderrTail(clock),
  });
  const lost = new AbortController();
  const events = ignoredEvents((reason) => lost.abort(options.lost?.(reason) ?? connectionLost(entry, reason)));
  try {
    const session = await concealed(open, conceal)(signal, events, { handshakeMs: undefined });
    const { client, era, capabilities } = session;
    return {
      client,
      era,
      capabilities,
      work: async (...request) => {
        lost.signal.throwIfAborted();
        return unlessAborted(lost.signal, session.work(...request));
      },
      close: async () => {
        await session.close();
        end();
      },
    };
  } catch (error) {
    end();
    throw error;
  }
}

function connectionLost({ id }: ServerEntry, reason: string): LiveError {
  return new LiveError('UNAVAILABLE', `The connection to "${id}" was lost: ${reason}`);
}
