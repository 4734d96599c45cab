// Requests to one server on its current session. They wait a while if the server is being connected to.
import { type Client, MAX_CACHE_TTL_MS, type ReadResourceResult } from '@modelcontextprotocol/client';
import type { Clock } from '@tidings/live';
import { WakeUp } from '@tidings/live/time';
import { withRetransmission } from '../../base/with-retransmission.ts';
import type { Conceal } from '../../connection/error/concealer.ts';
import type { CallListener } from '../../connection/message/running-calls.ts';
import type { ServerConnection } from '../../connection/server-connection.ts';
import type { Session } from '../../connection/session/session.ts';
import type { TaskWatch, TaskWatcher } from '../../connection/message/task-watches.ts';
import { fromConnection, fromRead, unavailable } from '../../connection/error/upstream-error.ts';

/** How long a request waits for a server that is being connected to. */
const waitForSessionMs = 10_000;
/**
 * Pauses after which a read is sent again, since other readers of the same resource wait for it, too. A slow server is
 * asked three times at most.
 */
const readPausesMs = [4000, 8000];

interface UpstreamRequestsDeps {
  serverId: string;
  connection: ServerConnection;
  clock: Clock;
  /** How long the answer to a read may take. */
  readMs: number;
  /** Removes secrets from errors of the server, which may quote the request. */
  conceal: Conceal;
}

export class UpstreamRequests {
  readonly #deps: UpstreamRequestsDeps;
  readonly #changed: WakeUp;

  constructor(deps: UpstreamRequestsDeps) {
    this.#deps = deps;
    this.#changed = new WakeUp(deps.clock);
  }

  /** The state of the connection has changed: waiting requests check it again. */
  connectionChanged(): void {
    this.#changed.wake();
  }

  /** Resolves when the server is not being connected to any more, or after `withinMs`. */
  async connectionAttempted(withinMs: number): Promise<void> {
    await this.#when(() => this.#deps.connection.state !== 'connecting' || undefined, withinMs);
  }

  /** Runs `work` with the shared client, once there is one. */
  async use<T>(work: (client: Client) => Promise<T>, listener?: CallListener): Promise<T> {
    const session = await this.#whenConnected();
    try {
      return await session.work(work, listener);
    } catch (error) {
      throw fromConnection(this.#deps.serverId, error, this.#deps.conceal);
    }
  }

  /** Subscribes to the status of these tasks on the shared session, if the server supports that. */
  async watchTasks(taskIds: readonly string[], watcher: TaskWatcher): Promise<TaskWatch> {
    const session = await this.#whenConnected();
    try {
      return await session.watchTasks(taskIds, watcher);
    } catch (error) {
      throw fromConnection(this.#deps.serverId, error, this.#deps.conceal);
    }
  }

  /**
   * Reads a resource; once more if the session ends meanwhile and the next attempt to connect succeeds. Cancelled at the
   * server when `signal` is aborted.
   */
  async read(uri: string, signal?: AbortSignal): Promise<ReadResourceResult> {
    const { connection, serverId, conceal } = this.#deps;
    const session = await this.#whenConnected();
    const { openings } = connection;
    const failed = (error: unknown): never => {
      throw fromRead(serverId, uri, error, conceal);
    };
    try {
      return await this.#readOn(session, uri, signal);
    } catch (error) {
      if (connection.session === session || signal?.aborted === true) return failed(error);
      const next = await this.#nextSession(openings);
      return next === undefined ? failed(error) : this.#readOn(next, uri, signal).catch(failed);
    }
  }

  async #readOn(session: Session, uri: string, signal: AbortSignal | undefined): Promise<ReadResourceResult> {
    const { clock, readMs } = this.#deps;
    return withUsableTtl(
      await withRetransmission(clock, readPausesMs, (copies) => session.read(uri, readMs, copies), signal),
    );
  }

  /** The session after the one that attempt number `openings` has opened; undefined if the next attempt fails. */
  async #nextSession(openings: number): Promise<Session | undefined> {
    const { connection } = this.#deps;
    const find = () => {
      const { session, state } = connection;
      const isAwaited = state === 'connecting' || (state === 'backoff' && connection.openings === openings);
      return session ?? (isAwaited ? undefined : 'none');
    };
    const found = await this.#when<Session | 'none'>(find, waitForSessionMs);
    return found === 'none' ? undefined : found;
  }

  async #whenConnected(): Promise<Session> {
    const { connection, serverId } = this.#deps;
    const find = () => {
      const { state, detail, session } = connection;
      if (!session && state !== 'connecting') throw unavailable(serverId, detail || `it is ${state}.`);
      return session;
    };
    const session = await this.#when(find, waitForSessionMs);
    if (session === undefined) throw unavailable(serverId, 'it does not answer.');
    return session;
  }

  /** Resolves with the first value that `find` returns, or with undefined after `ms`. Rejects if `find` throws. */
  async #when<T>(find: () => T | undefined, ms: number): Promise<T | undefined> {
    const { clock } = this.#deps;
    const deadline = clock.now() + ms;
    for (;;) {
      const found = find();
      const leftMs = deadline - clock.now();
      if (found !== undefined || leftMs <= 0) return found;
      await this.#changed.wait({ ms: leftMs });
    }
  }
}

/** Removes or limits a negative or infinite ttlMs, which clients refuse. */
function withUsableTtl(result: ReadResourceResult): ReadResourceResult {
  const { ttlMs, ...rest } = result;
  if (ttlMs === undefined) return result;
  const isUsable = typeof ttlMs === 'number' && Number.isFinite(ttlMs) && ttlMs >= 0;
  return isUsable ? { ...rest, ttlMs: Math.min(Math.floor(ttlMs), MAX_CACHE_TTL_MS) } : rest;
}
