// Detects dead streams. Most servers send keep-alive comments at a fixed interval, which is learned here. A stream that
// misses a comment is ended; its reader opens another and reads the resources again. While the interval is not known, a
// silent stream may be alive or dead: it is ended after a time that doubles each time until the server sends data.
import type { Clock, Timer } from '@tidings/live';
import { backoffMs } from '@tidings/live/time';
import { type BodyPassage, passBody } from './pass-body.ts';

/** How late a comment may be: in keep-alive intervals, plus the time that a busy process may need to read it. */
const lateIntervals = 1.25;
const graceMs = 500;
/** How long a stream may be silent while no interval is known: more than the usual time between two comments. */
const silence = { firstMs: 17_000, longestMs: 300_000 };
const colon = ':'.charCodeAt(0);

interface StreamLivenessOptions {
  clock: Clock;
  /** Comments that follow each other sooner than this are not counted. */
  shortestMs: number;
  /** The interval known from earlier connections; updated on this one. */
  keepAlive: KeepAliveInterval;
}

export interface KeepAliveInterval {
  ms: number | undefined;
  /**
   * The longest time between two comments with other data in between, used until `ms` is known. Longer than
   * that if a server sends comments only on an idle stream.
   */
  busyMs?: number;
  /** How many streams were ended for their silence while no interval is known, since the server last sent data. */
  silences?: number;
}

interface StreamWatcher {
  /** The stream has ended, or is ended because it is dead. */
  ended(this: void): void;
  /** Returns whether the chunk was handled and need not be passed on. */
  takes?(this: void, chunk: Uint8Array): boolean;
}

interface OpenStream {
  heardAt: number;
  end(this: void): void;
}

/** The liveness of all streams of one server. */
export class StreamLiveness {
  readonly #options: StreamLivenessOptions;
  readonly #open = new Set<OpenStream>();
  #endedAt: number;

  constructor(options: StreamLivenessOptions) {
    this.#options = options;
    this.#endedAt = options.clock.now();
  }

  /**
   * When data last arrived on the open stream that was silent the longest; if none is open, when the last one ended.
   */
  get heardAt(): number {
    if (this.#open.size === 0) return this.#endedAt;
    return Math.min(...[...this.#open].map(({ heardAt }) => heardAt));
  }

  /** `heardAt` of open streams while no interval is known; otherwise undefined. */
  get silentSince(): number | undefined {
    const { keepAlive } = this.#options;
    const isKnown = keepAlive.ms !== undefined || keepAlive.busyMs !== undefined;
    return isKnown || this.#open.size === 0 ? undefined : this.heardAt;
  }

  /** Ends the streams that have been silent since `since`. */
  endSilent(since: number): void {
    for (const { heardAt, end } of this.#open) if (heardAt < since) end();
  }

  /** `guard` handles the body before it gets here. */
  watch(response: Response, { ended, takes }: StreamWatcher, guard: BodyPassage = {}): Response {
    const { clock, keepAlive, shortestMs } = this.#options;
    const stream: OpenStream = { heardAt: clock.now(), end: () => body.end() };
    let wasComment = false;
    let commentAt: number | undefined;
    let earlierMs: number | undefined;
    let earlierBusyMs: number | undefined;
    let timer: Timer | undefined;
    const listen = () => {
      timer?.cancel();
      const ms = keepAlive.ms ?? keepAlive.busyMs;
      const { silences = 0 } = keepAlive;
      const silenceMs = ms === undefined ? backoffMs(silences + 1, silence) : lateIntervals * ms + graceMs;
      const left = stream.heardAt + silenceMs - clock.now();
      if (left > 0) {
        timer = clock.after(left, listen);
        return;
      }
      if (ms === undefined) keepAlive.silences = silences + 1;
      body.end();
    };
    const body = passBody(response, {
      pass: (given) => {
        const chunk = guard.pass ? guard.pass(given) : given;
        if (!(chunk instanceof Uint8Array)) return chunk;
        const [now, isComment] = [clock.now(), chunk[0] === colon];
        const passedMs = now - stream.heardAt;
        const { ms: knownMs, silences = 0 } = keepAlive;
        if (isComment && wasComment && passedMs >= shortestMs) {
          // An interval that is too long does no harm; one that is too short would end live streams. A single interval is
          // not enough: the first comment may come at the start of the stream, outside the server's rhythm.
          if (earlierMs !== undefined) keepAlive.ms = Math.max(keepAlive.ms ?? 0, earlierMs, passedMs);
          earlierMs = passedMs;
        }
        if (isComment && commentAt !== undefined && now - commentAt >= shortestMs) {
          if (earlierBusyMs !== undefined)
            keepAlive.busyMs = Math.max(keepAlive.busyMs ?? 0, earlierBusyMs, now - commentAt);
          earlierBusyMs = now - commentAt;
        }
        if (isComment) commentAt = now;
        else keepAlive.silences = 0;
        [stream.heardAt, wasComment] = [now, isComment];
        // The end may be due sooner than the timer.
        const isLearned = knownMs === undefined && (keepAlive.ms ?? keepAlive.busyMs) !== undefined;
        if (isLearned || (silences > 0 && !isComment)) listen();
        return takes?.(chunk) ? undefined : chunk;
      },
      ...(guard.rest && { rest: guard.rest }),
      ended: () => {
        guard.ended?.();
        timer?.cancel();
        this.#open.delete(stream);
        this.#endedAt = clock.now();
        ended();
      },
    });
    this.#open.add(stream);
    listen();
    return body.response;
  }
}
