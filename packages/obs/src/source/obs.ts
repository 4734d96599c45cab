// The interface to OBS for the rest of the package: the studio in memory while OBS is connected, and requests that
// resolve when their effect is in that studio.
import { LiveError } from '@tidings/live';
import { Rerun, withTimeout } from '@tidings/live/time';
import type { Need } from '../model/need.ts';
import type { Studio } from '../model/studio.ts';
import { type LinkSettings, ObsLink } from './obs-link.ts';
import { EventInterest, highVolume } from './event-interest.ts';
import type { BatchRequest, InputLevels, ObsSession, RequestData, RequestName } from './obs-session.ts';
import { ObsRefusal } from './refusal.ts';
import { StudioMirror } from './studio-mirror.ts';

export type ObsConnection =
  | { state: 'connected'; since: number; obsVersion: string; websocketVersion: string }
  | { state: 'connecting' | 'away' | 'refused'; detail: string; lastSeen: number | undefined };

/** How long a change may take to appear after OBS has accepted it. */
const settleMs = 3000;

/** How long the first list and the first reads wait for the first attempt to connect. */
const beginMs = 3000;

type MeterListener = (levels: readonly InputLevels[]) => void;

export class Obs {
  readonly #options: LinkSettings;
  readonly #link: ObsLink;
  readonly #mirror: StudioMirror;
  readonly #listeners = new Set<() => void>();
  readonly #meterListeners = new Set<MeterListener>();
  readonly #interest = new EventInterest(() => this.#listen());
  /** One request at a time: OBS handles messages concurrently, so of two requests the earlier might win. */
  readonly #listening = new Rerun(() => this.#session?.listen(this.#interest.bits) ?? Promise.resolve());
  readonly #begun: Promise<void>;
  #session: ObsSession | undefined;
  #since = 0;
  #lastSeen: number | undefined;
  #wasConnected = false;
  #isAwayReported = false;

  constructor(options: LinkSettings) {
    this.#options = options;
    const { clock, log } = options;
    this.#mirror = new StudioMirror({ clock, log, onChange: () => this.#changed() });
    this.#link = new ObsLink({
      ...options,
      onUp: (session) => this.#up(session),
      onDown: () => this.#down(),
      onEvent: (event) => this.#mirror.event(event),
      onMeters: (levels) => {
        for (const listener of this.#meterListeners) listener(levels);
      },
    });
    const isDecided = () => this.connection.state === 'connected' || this.#link.failures > 0;
    this.#begun = this.#until(isDecided, beginMs).catch(() => undefined);
    this.#link.connect();
  }

  /**
   * Resolves when the first attempt to connect has ended, or after `beginMs`. Many hosts list once, right after they have
   * started the server.
   */
  begun(): Promise<void> {
    return this.#begun;
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

  /** The present studio. Throws UNAVAILABLE while OBS is not connected. */
  get studio(): Studio {
    this.#present();
    return this.#mirror.studio;
  }

  /** The last known studio; empty before the first connection. */
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
    await this.#begun;
    const session = this.#present();
    try {
      return await session.call(request, data);
    } catch (error) {
      throw error instanceof ObsRefusal ? error.toLiveError() : error;
    }
  }

  /** Reads these parts; does nothing while OBS changes its scene collection or exits. */
  async refreshIfPossible(...needs: Need[]): Promise<void> {
    this.#present();
    await this.#mirror.refresh(needs, true);
  }

  /** Reads these parts; resolves when they are in the studio. */
  async refresh(...needs: Need[]): Promise<void> {
    if (needs.length === 0) return;
    this.#present();
    await this.#mirror.refresh(needs);
  }

  /** Resolves when `isDone` holds for the studio: at once, after reading `needs`, or after later events. */
  async settle(needs: readonly Need[], isDone: (studio: Studio) => boolean, patienceMs = settleMs): Promise<void> {
    // While another scene collection is being read, there is no studio.
    const holds = () => this.connection.state !== 'connecting' && isDone(this.studio);
    if (holds()) return;
    await this.refresh(...needs);
    if (holds()) return;
    await this.#until(holds, patienceMs);
  }

  /** Sends all of them in one batch. If some are refused, the others take effect, and the first refusal is thrown. */
  async callAll(requests: readonly BatchRequest[]): Promise<void> {
    const answers = await this.#present().batch(requests);
    for (const [index, { requestStatus }] of answers.entries()) {
      const { result, code, comment } = requestStatus;
      if (!result) throw new ObsRefusal(requests[index]?.requestType ?? '', code, comment).toLiveError();
    }
  }

  /** Makes OBS send the transforms of items. Returns a function that stops this. */
  wantTransforms(): () => void {
    return this.#interest.add(highVolume.transforms);
  }

  /** Makes OBS send the levels of its inputs, twenty times a second. Returns a function that stops this. */
  onMeters(listener: MeterListener): () => void {
    this.#meterListeners.add(listener);
    const stop = this.#interest.add(highVolume.meters);
    return () => {
      this.#meterListeners.delete(listener);
      stop();
    };
  }

  /** Tries to connect at once, even after a refusal. Resolves when the attempt has ended, or after `patienceMs`. */
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
      new LiveError(
        'UNAVAILABLE',
        `OBS accepted the request, but the change was not visible within ${patienceMs / 1000} s.`,
      );
    return withTimeout(this.#options.clock, patienceMs, done, late).finally(() => stop());
  }

  #up(session: ObsSession): void {
    this.#session = session;
    this.#since = this.#options.clock.date();
    if (this.#interest.bits !== 0) this.#listen();
    this.#mirror.attach(session);
  }

  #listen(): void {
    // A session that does not answer is detected by its next request.
    this.#listening.request().catch(() => undefined);
  }

  #down(): void {
    const wasConnected = this.#wasConnected;
    if (wasConnected) this.#lastSeen = this.#options.clock.date();
    this.#wasConnected = false;
    this.#session = undefined;
    const { connection } = this;
    this.#reportAway(connection, wasConnected);
    this.#mirror.detach(new LiveError('UNAVAILABLE', awayMessage(connection)));
    this.#changed();
  }

  /**
   * Logged once, not at every attempt. Before the first connection OBS may not be installed, which is not a problem.
   */
  #reportAway(connection: ObsConnection, wasConnected: boolean): void {
    // A refusal is reported where it occurs, with advice.
    if (this.#isAwayReported || connection.state !== 'away') return;
    this.#isAwayReported = true;
    const { log, url } = this.#options;
    const fields = { url, reason: connection.detail };
    if (wasConnected) log.warn(fields, 'OBS is not reachable.');
    else log.info?.(fields, 'OBS is not reachable.');
  }

  #changed(): void {
    if (this.connection.state === 'connected' && !this.#wasConnected) {
      this.#wasConnected = true;
      this.#isAwayReported = false;
      const { url, log } = this.#options;
      const { obsVersion } = this.connection;
      log.info?.({ url, obsVersion }, this.#lastSeen === undefined ? 'OBS is connected.' : 'OBS is back.');
      this.#link.proven();
    }
    for (const listener of this.#listeners) listener();
  }
}

/** Why OBS is not connected, since when, and what to do. */
export function awayMessage(connection: ObsConnection): string {
  if (connection.state === 'connected') return 'The connection to OBS has ended.';
  const { state, detail, lastSeen } = connection;
  const seen =
    lastSeen === undefined ? 'OBS has not been seen yet' : `OBS was last seen ${new Date(lastSeen).toISOString()}`;
  const advice =
    state === 'away'
      ? ' Start OBS, and enable its server under Tools, WebSocket Server Settings; the connection is then made automatically.'
      : '';
  return `${detail} ${seen}.${advice}`;
}
