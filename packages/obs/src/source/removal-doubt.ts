// When OBS exits it removes every scene and input before it says so. A scene that is really removed is missing in the
// list of scenes that follows at once; for an input nothing follows, so a moment has to pass. Until then, announcements
// are held back.
import type { Clock, Timer } from '@tidings/live';
import type { EventOf, ObsEvent } from '../model/event.ts';

export interface DoubtOptions {
  /** The removal was real: these are the events that were held back, in their order. */
  apply(this: void, events: readonly ObsEvent[]): void;
  /** Neither a list nor an exit came. */
  giveUp(this: void): void;
}

/** Until the list of scenes comes. */
const sceneMs = 1000;
/** Until an input that was removed in an exit would be followed by a scene, or by the exit itself. */
const inputMs = 250;

export class RemovalDoubt {
  readonly #clock: Clock;
  readonly #options: DoubtOptions;
  readonly #removed = new Set<string>();
  #held: ObsEvent[] = [];
  #timer: Timer | undefined;

  constructor(clock: Clock, options: DoubtOptions) {
    this.#clock = clock;
    this.#options = options;
  }

  get isActive(): boolean {
    return this.#timer !== undefined;
  }

  /** Whether the event is held back, or has been dealt with. Scenes of other canvases are ignored. */
  takes(event: ObsEvent, scenes: readonly string[]): boolean {
    if (event.type === 'SceneRemoved' && scenes.includes(event.data.sceneName)) {
      this.#removed.add(event.data.sceneName);
      this.#wait(sceneMs, () => this.#options.giveUp());
    } else if (event.type === 'InputRemoved' && !this.isActive) {
      this.#wait(inputMs, () => this.#believe());
    }
    if (!this.isActive) return false;
    this.#held.push(event);
    if (this.#removed.size > 0 && event.type === 'SceneListChanged' && this.#isConfirmedBy(event)) this.#believe();
    return true;
  }

  clear(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#removed.clear();
    this.#held = [];
  }

  #isConfirmedBy({ data }: EventOf<'SceneListChanged'>): boolean {
    return data.scenes.every(({ sceneName }) => !this.#removed.has(sceneName));
  }

  #believe(): void {
    const events = this.#held;
    this.clear();
    this.#options.apply(events);
  }

  #wait(ms: number, end: () => void): void {
    this.#timer?.cancel();
    this.#timer = this.#clock.after(ms, end);
  }
}
