// Audio levels of inputs over a window: OBS sends them twenty times a second, which is more than readers need. OBS is
// asked for them only while they are watched or read.
import { type Clock, LiveError, type Timer } from '@tidings/live';
import { withTimeout } from '@tidings/live/time';
import { type MeterContent, type MeterWindow, emptyWindow, meterContent, withLevels } from '../model/meter-window.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Obs } from './obs.ts';

interface MetersOptions {
  clock: Clock;
  /** The length of a window. */
  windowMs: number;
  changed(this: void, input: string): void;
}

/** How long a read waits for the first levels. OBS sends them every 50 ms. */
const patienceMs = 2000;

export class Meters {
  readonly #obs: Obs;
  readonly #options: MetersOptions;
  readonly #watched = new Map<string, WatchedInput>();

  constructor(obs: Obs, options: MetersOptions) {
    this.#obs = obs;
    this.#options = options;
  }

  watch(input: string): () => void {
    const watched = this.#watched.get(input) ?? new WatchedInput(this.#obs, input, this.#options);
    this.#watched.set(input, watched);
    watched.watchers += 1;
    return () => {
      watched.watchers -= 1;
      if (watched.watchers > 0) return;
      watched.end();
      this.#watched.delete(input);
    };
  }

  /** Levels of the last complete window; without one, the first levels that arrive. */
  async read(input: string): Promise<MeterContent> {
    const latest = this.#watched.get(input)?.latest;
    if (latest) return latest;
    const end = this.watch(input);
    try {
      const late = () => new LiveError('UNAVAILABLE', `OBS has sent no levels within ${patienceMs / 1000} s.`);
      const first = this.#watched.get(input)?.first ?? Promise.reject(late());
      return await withTimeout(this.#options.clock, patienceMs, first, late);
    } finally {
      end();
    }
  }

  close(): void {
    for (const watched of this.#watched.values()) watched.end();
    this.#watched.clear();
  }
}

class WatchedInput {
  watchers = 0;
  latest: MeterContent | undefined;
  readonly first: Promise<MeterContent>;
  readonly #options: MetersOptions;
  readonly #input: string;
  readonly #stop: () => void;
  #window: MeterWindow = emptyWindow;
  #timer: Timer;

  constructor(obs: Obs, input: string, options: MetersOptions) {
    this.#input = input;
    this.#options = options;
    let resolveFirst: (content: MeterContent) => void = () => undefined;
    this.first = new Promise((resolve) => (resolveFirst = resolve));
    this.#stop = obs.onMeters((levels) => {
      // OBS leaves out inputs that have no audio at the moment.
      const own = levels.find(({ inputName }) => inputName === input)?.inputLevelsMul ?? [];
      this.#window = withLevels(this.#window, own);
      resolveFirst(this.#content());
    });
    this.#timer = this.#nextWindow();
  }

  end(): void {
    this.#timer.cancel();
    this.#stop();
  }

  #nextWindow(): Timer {
    return this.#options.clock.after(this.#options.windowMs, () => {
      this.#timer = this.#nextWindow();
      const before = this.latest;
      // Without new levels OBS is not connected, and the last ones are outdated.
      this.latest = this.#window === emptyWindow ? undefined : this.#content();
      this.#window = emptyWindow;
      if (this.latest && !isDeepStrictEqual(before, this.latest)) this.#options.changed(this.#input);
    });
  }

  #content(): MeterContent {
    return meterContent(this.#input, this.#window);
  }
}
