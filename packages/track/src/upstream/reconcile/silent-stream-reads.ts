// A silent notification stream may be dead or idle. If the server sends no keep-alive comments, some of its resources
// are read now and then: if one has changed without a notification, listeners are notified, and the silent streams are
// opened again, which compares everything else.
import type { Clock, Timer } from '@tidings/live';
import { backoffMs, forEachLimited } from '@tidings/live/time';
import type { Session } from '../../connection/session/session.ts';
import { HangingReads } from '../../mirror/hanging-reads.ts';

/** How many resources are read after each silence, in rotation: as many as fit in `turnMs`, within these bounds. */
const [leastInTurn, mostInTurn] = [20, 200];
const turnMs = 1000;
const readsAtOnce = 4;
/** Longest pause for a resource whose content differs at every read; the pause doubles each time. */
const longestPauseMs = 300_000;

type SilentSession = Pick<Session, 'silentSince' | 'endSilentStreams'>;

interface SilentStreamReadsDeps {
  clock: Clock;
  /** How long streams may be silent. */
  silentMs: number;
  /** All wanted resources, subscribed or not. */
  uris(this: void): ReadonlySet<string>;
  /** The resources that changed last, the latest first: they are the most likely to have changed again. */
  recent(this: void): Iterable<string>;
  /** Reads a resource if it is subscribed to. Resolves with whether listeners had to be notified. Never rejects. */
  verify(this: void, uri: string): Promise<boolean>;
}

interface Volatile {
  /** At how many reads in a row it had changed. */
  changes: number;
  dueAt: number;
}

export class SilentStreamReads {
  readonly #deps: SilentStreamReadsDeps;
  readonly #hanging: HangingReads;
  /** Resources that had changed at their last read. */
  readonly #volatile = new Map<string, Volatile>();
  #session: SilentSession | undefined;
  #timer: Timer | undefined;
  /** Position of the next URI in the rotation. */
  #position = 0;

  constructor(deps: SilentStreamReadsDeps) {
    this.#deps = deps;
    this.#hanging = new HangingReads(deps.clock, readsAtOnce);
  }

  begin(session: SilentSession): void {
    this.#session = session;
    this.#wait(session);
  }

  end(): void {
    this.#session = undefined;
    this.#timer?.cancel();
  }

  #wait(session: SilentSession): void {
    const { clock, silentMs } = this.#deps;
    const now = clock.now();
    const silentForMs = now - (session.silentSince() ?? now);
    // After the reads the silence is longer than `silentMs`: the next ones are due after another `silentMs`.
    const leftMs = silentForMs < silentMs ? silentMs - silentForMs : silentMs;
    this.#timer = clock.after(leftMs, () => void this.#readTurn(session));
  }

  async #readTurn(session: SilentSession): Promise<void> {
    const { clock, silentMs } = this.#deps;
    const began = clock.now();
    const since = session.silentSince();
    if (since !== undefined && began - since >= silentMs) {
      let [hasChanged, isOver] = [false, false];
      const end = () => {
        if (hasChanged && this.#session === session) session.endSilentStreams(began);
      };
      await forEachLimited(this.#turn(began), readsAtOnce, clock, async (uri) => {
        const verified = this.#verify(uri, session).then((isOther) => {
          hasChanged ||= isOther;
          if (isOther && isOver) end();
        });
        await this.#hanging.ends(verified);
      });
      isOver = true;
      end();
    }
    if (this.#session === session) this.#wait(session);
  }

  async #verify(uri: string, session: SilentSession): Promise<boolean> {
    const isOther = this.#session === session && (await this.#deps.verify(uri));
    this.#note(uri, isOther);
    return isOther;
  }

  /** Recently changed resources first, then the next ones in rotation. */
  *#turn(began: number): Generator<string> {
    const { clock } = this.#deps;
    const isDue = (uri: string) => (this.#volatile.get(uri)?.dueAt ?? began) <= began;
    const uris = [...this.#deps.uris()];
    const recent = new Set(this.#deps.recent());
    yield* [...recent].filter(isDue);
    for (let count = 0; count < Math.min(uris.length, mostInTurn); count += 1) {
      if (count >= leastInTurn && clock.now() - began >= turnMs) return;
      const uri = uris[this.#position % uris.length];
      this.#position = (this.#position + 1) % uris.length;
      if (uri !== undefined && !recent.has(uri) && isDue(uri)) yield uri;
    }
  }

  #note(uri: string, isOther: boolean): void {
    const { clock, silentMs } = this.#deps;
    const changes = (this.#volatile.get(uri)?.changes ?? 0) + 1;
    const pauseMs = backoffMs(changes, { firstMs: 2 * silentMs, longestMs: longestPauseMs });
    if (isOther) this.#volatile.set(uri, { changes, dueAt: clock.now() + pauseMs });
    else this.#volatile.delete(uri);
  }
}
