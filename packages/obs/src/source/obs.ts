// OBS as the rest of the package sees it: the studio in memory while OBS is there, and requests that
// are over only when what they changed is in that studio.
import { LiveError } from '@tidings/live';
import { withTimeout } from '@tidings/live/time';
import type { Need } from '../model/need.ts';
import type { Studio } from '../model/studio.ts';
import { type LinkSettings, ObsLink } from './obs-link.ts';
import type { ObsSession, RequestData, RequestName } from './obs-session.ts';
import { ObsRefusal } from './refusal.ts';
import { StudioMirror } from './studio-mirror.ts';

export type ObsConnection =
  | { state: 'connected'; since: number; obsVersion: string; websocketVersion: string }
  | { state: 'connecting' | 'away' | 'refused'; detail: string; lastSeen: number | undefined };

/** How long a change may take to show after OBS has agreed to it. */
const settleMs = 3000;

export class Obs {
  readonly #options: LinkSettings;
  readonly #link: ObsLink;
  readonly #mirror: StudioMirror;
  readonly #listeners = new Set<() => void>();
  #session: ObsSession | undefined;
  #since = 0;
  #lastSeen: number | undefined;
  #wasConnected = false;

  constructor(options: LinkSettings) {
    this.#options = options;
    const { clock, log } = options;
    this.#mirror = new StudioMirror({ clock, log, onChange: () => this.#changed() });
    this.#link = new ObsLink({
      ...options,
      onUp: (session) => this.#up(session),
      onDown: () => this.#down(),
      onEvent: (event) => this.#mirror.event(event),
    });
    this.#link.connect();
  }

  get connection(): ObsConnection {
    const session = this.#session;
    if (session && this.#mirror.isCurrent) {
      const { obsVersion, websocketVersion } = session;
      return { state: 'connected', since: this.#since, obsVersion, websocketVersion };
    }
    const { state, detail } = this.#link.trouble ?? { state: 'connecting', detail: 'Reading the studio of OBS.' };
    return { state, detail, lastSeen: this.#lastSeen };
  }

  /** The studio as OBS has it. Throws UNAVAILABLE while OBS is away. */
  get studio(): Studio {
    this.#present();
    return this.#mirror.studio;
  }

  /** The studio as OBS last had it; empty before OBS was first there. */
  get lastKnown(): Studio {
    return this.#mirror.studio;
  }

  /** Called whenever the studio or the connection may have changed. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Throws LiveErrors with messages for the client. */
  async call<Name extends RequestName>(request: Name, data?: RequestData<Name>): Promise<unknown> {
    const session = this.#present();
    try {
      return await session.call(request, data);
    } catch (error) {
      throw error instanceof ObsRefusal ? error.toLiveError() : error;
    }
  }

  async refresh(...needs: Need[]): Promise<void> {
    this.#present();
    await this.#mirror.refresh(needs);
  }

  /** Resolves when the studio is as wanted: at once, after reading `needs`, or when events have made it so. */
  async settle(needs: readonly Need[], isDone: (studio: Studio) => boolean, patienceMs = settleMs): Promise<void> {
    if (isDone(this.studio)) return;
    await this.refresh(...needs);
    if (isDone(this.studio)) return;
    await this.#until(() => isDone(this.studio), patienceMs);
  }

  /** Tries at once, also after OBS has refused us. Resolves when that is decided, or time is up. */
  async reconnect(patienceMs: number): Promise<void> {
    if (this.connection.state === 'connected') return;
    const before = this.#link.failures;
    this.#link.connect();
    const isDecided = () => this.connection.state === 'connected' || this.#link.failures > before;
    await this.#until(isDecided, patienceMs).catch(() => undefined);
  }

  close(): void {
    this.#listeners.clear();
    this.#link.close();
  }

  #present(): ObsSession {
    const { connection } = this;
    if (this.#session && connection.state === 'connected') return this.#session;
    throw new LiveError('UNAVAILABLE', awayMessage(connection));
  }

  #until(isDone: () => boolean, patienceMs: number): Promise<void> {
    let stop: () => void = () => undefined;
    const done = new Promise<void>((resolve, reject) => {
      stop = this.onChange(() => {
        try {
          if (isDone()) resolve();
        } catch (error) {
          reject(error);
        }
      });
    });
    const late = () =>
      new LiveError('UNAVAILABLE', `OBS agreed, but it has not happened within ${patienceMs / 1000} s.`);
    return withTimeout(this.#options.clock, patienceMs, done, late).finally(() => stop());
  }

  #up(session: ObsSession): void {
    this.#session = session;
    this.#since = this.#options.clock.date();
    this.#mirror.attach(session);
  }

  #down(): void {
    if (this.#wasConnected) this.#lastSeen = this.#options.clock.date();
    this.#wasConnected = false;
    this.#session = undefined;
    this.#mirror.detach(new LiveError('UNAVAILABLE', awayMessage(this.connection)));
    this.#changed();
  }

  #changed(): void {
    if (this.connection.state === 'connected' && !this.#wasConnected) {
      this.#wasConnected = true;
      this.#link.proven();
    }
    for (const listener of this.#listeners) listener();
  }
}

function awayMessage(connection: ObsConnection): string {
  if (connection.state === 'connected') return 'The connection to OBS has ended.';
  const { state, detail, lastSeen } = connection;
  const seen =
    lastSeen === undefined ? 'OBS has not been seen yet' : `OBS was last seen ${new Date(lastSeen).toISOString()}`;
  const advice =
    state === 'away' ? ' Start OBS, with Tools, WebSocket Server Settings, Enable; the rest happens by itself.' : '';
  return `${detail} ${seen}.${advice}`;
}
