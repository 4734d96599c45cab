// Notices a stream that has died without anybody saying so. Most servers send a comment now and then so
// that a stream stays open; the time between two of them is the server's pulse. A stream on which nothing
// comes for three of these is dead, while one of a server without a pulse may only be quiet.
import type { Clock, Timer } from '@tidings/live';
import { passBody } from './pass-body.ts';

const missedBeats = 3;
const colon = ':'.charCodeAt(0);

export interface PulseOptions {
  clock: Clock;
  /** Comments that follow each other sooner than this are no pulse. */
  shortestMs: number;
}

/** The pulse of one server, on all its streams. */
export class StreamPulse {
  readonly #options: PulseOptions;
  /** The streams that are open, and when the last byte came on each. */
  readonly #open = new Set<{ heardAt: number }>();
  #pulseMs: number | undefined;
  #endedAt: number;

  constructor(options: PulseOptions) {
    this.#options = options;
    this.#endedAt = options.clock.now();
  }

  /** When something last came on every open stream; with none open, when the last one ended. */
  get heardAt(): number {
    if (this.#open.size === 0) return this.#endedAt;
    return Math.min(...[...this.#open].map(({ heardAt }) => heardAt));
  }

  /** `ended` is called when the stream has ended, or is ended because it is dead. */
  watch(response: Response, ended: () => void): Response {
    const { clock, shortestMs } = this.#options;
    const stream = { heardAt: clock.now() };
    this.#open.add(stream);
    let wasComment = false;
    let earlierMs: number | undefined;
    let timer: Timer | undefined;
    const listen = () => {
      if (this.#pulseMs === undefined) return;
      const left = stream.heardAt + missedBeats * this.#pulseMs - clock.now();
      if (left > 0) timer = clock.after(left, listen);
      else body.end();
    };
    const body = passBody(response, {
      pass: (chunk) => {
        const [now, isComment] = [clock.now(), chunk[0] === colon];
        const passedMs = now - stream.heardAt;
        if (isComment && wasComment && passedMs >= shortestMs) {
          // Longer than it is does no harm; shorter would end what is alive. One time alone says nothing: a
          // greeting comes at the beginning, and the next comment when the server's own clock strikes.
          if (earlierMs !== undefined) this.#pulseMs = Math.max(this.#pulseMs ?? 0, earlierMs, passedMs);
          earlierMs = passedMs;
        }
        [stream.heardAt, wasComment] = [now, isComment];
        if (timer === undefined) listen();
        return chunk;
      },
      ended: () => {
        timer?.cancel();
        this.#open.delete(stream);
        this.#endedAt = clock.now();
        ended();
      },
    });
    listen();
    return body.response;
  }
}
