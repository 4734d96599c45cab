// Notices a stream that has died without a sign. Most servers send a comment now and then so that a stream
// stays open; the time between two of them is the server's pulse. A stream that misses one is ended, and
// whoever reads it opens another and looks for what it missed. One of a server without a pulse may only be
// quiet.
import type { Clock, Timer } from '@tidings/live';
import { passBody } from './pass-body.ts';

/** How late a comment may be, in pulses, and in time for a busy process to read what has arrived. */
const latePulses = 1.25;
const graceMs = 500;
const colon = ':'.charCodeAt(0);

export interface PulseOptions {
  clock: Clock;
  /** Comments that follow each other sooner than this are no pulse. */
  shortestMs: number;
  /** What is known of this server from earlier connections, and what is learned. */
  pulse: Pulse;
}

export interface Pulse {
  ms: number | undefined;
  /**
   * The longest time between two comments with something between them, which counts until one is known without. Of
   * a server that sends comments only into silence, it is longer than the pulse.
   */
  busyMs?: number;
}

interface StreamWatcher {
  /** The stream has ended, or is ended because it is dead. */
  ended(this: void): void;
  heard?(this: void, chunk: Uint8Array): void;
}

interface OpenStream {
  heardAt: number;
  end(this: void): void;
}

/** The pulse of one server, on all its streams. */
export class StreamPulse {
  readonly #options: PulseOptions;
  readonly #open = new Set<OpenStream>();
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

  /** Ends the streams on which nothing has come since then. */
  endSilent(since: number): void {
    for (const { heardAt, end } of this.#open) if (heardAt < since) end();
  }

  watch(response: Response, { ended, heard }: StreamWatcher): Response {
    const { clock, pulse, shortestMs } = this.#options;
    const stream: OpenStream = { heardAt: clock.now(), end: () => body.end() };
    let wasComment = false;
    let commentAt: number | undefined;
    let earlierMs: number | undefined;
    let earlierBusyMs: number | undefined;
    let timer: Timer | undefined;
    const listen = () => {
      const ms = pulse.ms ?? pulse.busyMs;
      if (ms === undefined) return;
      const left = stream.heardAt + latePulses * ms + graceMs - clock.now();
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
          if (earlierMs !== undefined) pulse.ms = Math.max(pulse.ms ?? 0, earlierMs, passedMs);
          earlierMs = passedMs;
        }
        if (isComment && commentAt !== undefined && now - commentAt >= shortestMs) {
          if (earlierBusyMs !== undefined) pulse.busyMs = Math.max(pulse.busyMs ?? 0, earlierBusyMs, now - commentAt);
          earlierBusyMs = now - commentAt;
        }
        if (isComment) commentAt = now;
        [stream.heardAt, wasComment] = [now, isComment];
        if (timer === undefined) listen();
        heard?.(chunk);
        return chunk;
      },
      ended: () => {
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
