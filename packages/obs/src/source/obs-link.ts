// Keeps a connection to OBS, and opens a new one when OBS is back. Reports why there is no session.
import type { Clock, Log, Timer } from '@tidings/live';
import { messageOf } from '@tidings/live/portable';
import { Backoff } from '@tidings/live/time';
import type { ObsEvent } from '../model/event.ts';
import { type InputLevels, ObsSession, PasswordRefused, SessionRefused } from './obs-session.ts';
import type { PasswordSource } from './password.ts';

export interface LinkSettings {
  url: string;
  password: PasswordSource;
  clock: Clock;
  random: () => number;
  log: Log;
  /** The time limit of a request to OBS. */
  timeoutMs: number;
}

interface LinkOptions extends LinkSettings {
  onUp(this: void, session: ObsSession): void;
  onDown(this: void): void;
  onEvent(this: void, event: ObsEvent): void;
  onMeters(this: void, levels: readonly InputLevels[]): void;
}

/** Why there is no session now. */
interface ObsTrouble {
  /** `refused`: OBS is reachable, but refuses the session, usually because of the password. */
  readonly state: 'connecting' | 'away' | 'refused';
  readonly detail: string;
}

/** How often the password file is read while OBS refuses the password. */
const passwordReadMs = 5000;
const retry = { firstMs: 250, longestMs: 5000 };

export class ObsLink {
  readonly #options: LinkOptions;
  readonly #backoff: Backoff;
  #trouble: ObsTrouble;
  #session: ObsSession | undefined;
  #timer: Timer | undefined;
  #isClosed = false;
  #attempt = 0;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#backoff = new Backoff(retry, options.random);
    this.#trouble = { state: 'connecting', detail: `Connecting to OBS at ${options.url}.` };
  }

  /** Undefined while there is a session. */
  get trouble(): ObsTrouble | undefined {
    return this.#session ? undefined : this.#trouble;
  }

  /** The number of failed attempts and sessions in a row. */
  get failures(): number {
    return this.#backoff.failures;
  }

  /** Tries to connect now, without waiting for a pause. */
  connect(): void {
    if (this.#isClosed || this.#session) return;
    this.#timer?.cancel();
    this.#attempt += 1;
    void this.#try(this.#attempt);
  }

  /** The session works: the next pause is short again. */
  proven(): void {
    this.#backoff.reset();
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#session?.close();
  }

  async #try(attempt: number): Promise<void> {
    const { url, clock, timeoutMs, onEvent, onMeters, onUp } = this.#options;
    let password: string | undefined;
    try {
      password = await this.#options.password.read();
      const open = { url, password, clock, timeoutMs, onEvent, onMeters, onClose: () => this.#lost() };
      const session = await ObsSession.open(open);
      // Closed meanwhile, or replaced by a newer attempt.
      if (this.#isClosed || attempt !== this.#attempt) return session.close();
      this.#session = session;
      onUp(session);
    } catch (error) {
      if (this.#isClosed || attempt !== this.#attempt) return;
      if (error instanceof SessionRefused) this.#refused(error, password);
      else this.#failed(error);
    }
  }

  #lost(): void {
    this.#session = undefined;
    this.#away(`OBS has closed the connection; trying ${this.#options.url} again.`);
  }

  #failed(error: unknown): void {
    const reason = messageOf(error);
    this.#away(`OBS cannot be reached at ${this.#options.url} (${reason}).`);
  }

  #away(detail: string): void {
    const pauseMs = this.#backoff.next();
    this.#trouble = { state: 'away', detail };
    this.#options.onDown();
    if (this.#isClosed) return;
    this.#timer?.cancel();
    this.#timer = this.#options.clock.after(pauseMs, () => this.connect());
  }

  /** The next attempt would be refused too, so it waits for another password in the file, or for `connect`. */
  #refused(refusal: SessionRefused, tried: string | undefined): void {
    const { password, log, onDown } = this.#options;
    const isPassword = refusal instanceof PasswordRefused;
    const detail = isPassword ? `${refusal.message} ${password.advice}` : refusal.message;
    // Counted as a failure, without its pause.
    this.#backoff.next();
    if (this.#trouble.detail !== detail) log.warn({ url: this.#options.url }, detail);
    this.#trouble = { state: 'refused', detail };
    onDown();
    if (isPassword && password.canChange) this.#waitForAnother(tried);
  }

  #waitForAnother(tried: string | undefined): void {
    const { clock, password } = this.#options;
    this.#timer = clock.after(passwordReadMs, () => {
      const read = password.read().catch(() => tried);
      void read.then((now) => {
        if (this.#isClosed || this.#session || this.#trouble.state !== 'refused') return;
        if (now === tried) this.#waitForAnother(tried);
        else this.connect();
      });
    });
  }
}
