// Runs the state table of states.ts for one server: opens and closes sessions, waits between attempts, and drops
// events of earlier sessions.
import type { Clock, Timer } from '@tidings/live';
import type { ListName } from '@tidings/live/internal';
import { asError } from '@tidings/live/portable';
import { Backoff, backoffMs } from '@tidings/live/time';
import { retryPauses } from '../base/retry-pauses.ts';
import { ConnectFailure } from './error/connect-failure.ts';
import { describeError } from './error/describe-error.ts';
import type { Loss, OpenSession, Session, SessionEvents } from './session/session.ts';
import type { ServerState } from '@tidings/client/contract';
import { type Event, type State, publicState, step } from './states.ts';

export interface ConnectionListener extends Omit<SessionEvents, 'lost'> {
  /** A session is open. The listener subscribes to the wanted resources and sends `synced` or `refused`. */
  opened(session: Session): void;
  /** The session has ended; no more events come from it. */
  closed(): void;
  stateChanged(state: ServerState, detail: string): void;
}

interface ServerConnectionDeps {
  open: OpenSession;
  clock: Clock;
  random: () => number;
  listener: ConnectionListener;
  /** Resolves when an unreachable server seems to be reachable again. */
  untilBack?(this: void, signal: AbortSignal): Promise<void>;
  /** What the user should do if the server requires a login. */
  loginAdvice(this: void): string;
}

/** After this long in state `live`, the backoff starts anew. */
const steadyMs = 15_000;
/** A server that was live this recently is probably restarting: it is tried often, with short pauses. */
const recentMs = 120_000;
const longestRecentWaitMs = 2000;
/**
 * How long the handshake of such a server may take. The time doubles after `shortHandshakes` attempts, since the server
 * may be slow to start.
 */
const recentHandshake = { firstMs: 3000 };
const shortHandshakes = 5;
/** A server that requires a login is tried `soonLogins` times as usual, then rarely: a person has to act. */
const soonLogins = 3;
const loginPauseMs = 5 * 60_000;

export class ServerConnection {
  readonly #options: ServerConnectionDeps;
  readonly #backoff: Backoff;
  #state: State = 'disabled';
  #detail = '';
  /** Why the last attempt failed or the session was lost, as part of the detail until a session is open again. */
  #reason = '';
  #since: number;
  #openings = 0;
  /** The current attempt or session. Everything it started is cancelled when it ends. */
  #life: Life | undefined;
  #waiting: Timer | undefined;
  /** Ends the watch for the server's return. */
  #watching: AbortController | undefined;
  #liveUntil = Number.NEGATIVE_INFINITY;
  /** Failed attempts since the server was last live. */
  #missed = 0;
  #retryAt: number | undefined;
  #failure: Error | undefined;
  #steady: Timer | undefined;
  readonly #endings = new Set<Promise<void>>();

  constructor(options: ServerConnectionDeps) {
    this.#options = options;
    this.#backoff = new Backoff(retryPauses, options.random);
    this.#since = options.clock.date();
  }

  get state(): ServerState {
    return publicState(this.#state);
  }

  get detail(): string {
    return this.#detail;
  }

  /** Milliseconds since the epoch at which the state was entered. */
  get since(): number {
    return this.#since;
  }

  /** Failures in a row. */
  get failures(): number {
    return this.#backoff.failures;
  }

  /** The number of attempts to connect. */
  get openings(): number {
    return this.#openings;
  }

  /** Milliseconds since the epoch of the next attempt, while one is scheduled. */
  get retryAt(): number | undefined {
    return this.#retryAt;
  }

  /** Why the last session could not be opened or was lost; undefined while one is open. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  get session(): Session | undefined {
    return this.#life?.session;
  }

  /** The time up to which all notifications of the server are known to have arrived. */
  get heardAt(): number {
    const session = this.session;
    if (session === undefined) return Number.NEGATIVE_INFINITY;
    // The end of a pipe is noticed at once, and everything before it has arrived.
    return session.transport === 'http' ? session.heardAt() : this.#options.clock.now();
  }

  send(event: Event, detail = ''): void {
    const next = step(this.#state, event);
    if (next === undefined) return;
    const before = this.state;
    if (this.#state === 'live') this.#liveUntil = this.#options.clock.now();
    this.#state = next.state;
    this.#since = this.#options.clock.date();
    this.#waiting?.cancel();
    this.#watching?.abort();
    if (next.close) this.#close();
    const delay = next.wait ? this.#nextDelay() : 0;
    this.#retryAt = next.wait ? this.#options.clock.date() + delay : undefined;
    if (next.wait) this.#reason = detail || 'The connection was lost.';
    this.#detail = next.wait ? this.#describeWait(delay) : event === 'retry' ? this.#describeRetry() : detail;
    if (next.wait) this.#wait(delay);
    if (this.#state === 'live') this.#missed = 0;
    if (this.#state === 'disabled') this.#backoff.reset();
    if (this.#state === 'live') this.#resetBackoffLater();
    if (this.state !== before || detail !== '') this.#options.listener.stateChanged(this.state, this.#detail);
    if (next.open) this.#open();
  }

  /** Sets the detail text of a connected server: a problem that does not end the session. */
  explain(detail: string): void {
    if (this.#state === 'syncing' || this.#state === 'live') this.#detail = detail;
  }

  /** Opens no session until another owner's session with the same server has ended. */
  openAfter(ended: Promise<void>): void {
    this.#keep(ended);
  }

  /** Resolves when all sessions have ended. */
  async ended(): Promise<void> {
    while (this.#endings.size > 0) await Promise.all(this.#endings);
  }

  #open(): void {
    const life = new Life();
    this.#life = life;
    this.#openings += 1;
    // The previous session must have ended: a server may hold a file or a port that its successor needs.
    this.#keep(Promise.all(this.#endings).then(() => this.#attempt(life)));
  }

  async #attempt(life: Life): Promise<void> {
    if (life.isOver) return;
    const { clock, open, listener } = this.#options;
    const isRecent = clock.now() - this.#liveUntil < recentMs;
    const ifAlive =
      <Args extends unknown[]>(tell: (...args: Args) => void) =>
      (...args: Args) => {
        if (!life.isOver) tell(...args);
      };
    try {
      const events = {
        updated: (uri: string) => life.isOver || listener.updated(uri),
        listChanged: ifAlive((list: ListName) => listener.listChanged(list)),
        gap: ifAlive(() => listener.gap()),
        deliveryChanged: ifAlive(() => listener.deliveryChanged()),
        troubleChanged: ifAlive(() => listener.troubleChanged()),
        lost: ifAlive((reason: string, { needsLogin = false }: Loss = {}) => {
          this.#failure = new Error(reason);
          if (needsLogin) this.send('unauthorized', this.#options.loginAdvice());
          else this.send('lost', reason);
        }),
      };
      const session = await open(life.signal, events, {
        failures: this.#missed,
        handshakeMs: isRecent ? backoffMs(Math.max(1, this.#missed - shortHandshakes + 1), recentHandshake) : undefined,
      });
      if (life.isOver) return await session.close();
      life.session = session;
      this.#failure = undefined;
      this.send('opened');
      listener.opened(session);
    } catch (error) {
      if (life.isOver) return;
      this.#failure = asError(error);
      const needsLogin = error instanceof ConnectFailure && error.needsLogin;
      if (needsLogin) this.send('unauthorized', this.#options.loginAdvice());
      else this.send('failed', describeError(error));
    }
  }

  #close(): void {
    const life = this.#life;
    this.#life = undefined;
    this.#steady?.cancel();
    if (life === undefined) return;
    life.end();
    if (life.session === undefined) return;
    this.#options.listener.closed();
    this.#keep(life.session.close());
  }

  #keep(ending: Promise<void>): void {
    // Errors while a session ends do not matter.
    const settled = ending.catch(() => undefined).finally(() => this.#endings.delete(settled));
    this.#endings.add(settled);
  }

  #resetBackoffLater(): void {
    this.#steady?.cancel();
    this.#steady = this.#options.clock.after(steadyMs, () => this.#backoff.reset());
  }

  #nextDelay(): number {
    const isRecent = this.#options.clock.now() - this.#liveUntil < recentMs;
    this.#missed += 1;
    const delay = this.#backoff.next();
    // The first refusals may come from a server that is still starting.
    if (this.#state === 'needs_login' && this.#backoff.failures > soonLogins) return loginPauseMs;
    return isRecent ? Math.min(longestRecentWaitMs, delay) : delay;
  }

  #wait(delay: number): void {
    const { clock, untilBack } = this.#options;
    const watching = new AbortController();
    this.#watching = watching;
    this.#waiting = clock.after(delay, () => this.send('retry'));
    void untilBack?.(watching.signal).then(() => {
      if (!watching.signal.aborted) this.send('retry');
    });
  }

  #describeWait(delay: number): string {
    return `${this.#describeFailures()} Trying again in ${Math.ceil(delay / 100) / 10} s.`;
  }

  #describeRetry(): string {
    return `${this.#describeFailures()} Trying again now.`;
  }

  #describeFailures(): string {
    const { failures } = this.#backoff;
    return failures > 1 ? `${this.#reason} (failed ${failures} times in a row)` : this.#reason;
  }
}

class Life {
  readonly #abort = new AbortController();
  session: Session | undefined;

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get isOver(): boolean {
    return this.#abort.signal.aborted;
  }

  end(): void {
    this.#abort.abort();
  }
}
