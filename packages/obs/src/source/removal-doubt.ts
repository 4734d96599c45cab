// When OBS exits it removes every scene and input before it says so. A scene that is really removed is
// missing in the list of scenes that follows at once; until then, everything OBS says is held back.
import type { Clock, Timer } from '@tidings/live';
import type { ObsEvent } from '../model/event.ts';

export interface DoubtOptions {
  /** It was meant: these are the events, in their order. */
  apply(this: void, events: readonly ObsEvent[]): void;
  /** Neither a list nor an exit came. */
  giveUp(this: void): void;
}

const patienceMs = 1000;

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

  /** Whether the event is held back, or has been dealt with. Scenes of other canvases are none of ours. */
  takes(event: ObsEvent, scenes: readonly string[]): boolean {
    if (event.type === 'SceneRemoved' && scenes.includes(event.data.sceneName)) this.#doubt(event.data.sceneName);
    if (this.#removed.size === 0) return false;
    this.#held.push(event);
    if (
      event.type === 'SceneListChanged' &&
      event.data.scenes.every(({ sceneName }) => !this.#removed.has(sceneName))
    ) {
      const events = this.#held;
      this.clear();
      this.#options.apply(events);
    }
    return true;
  }

  clear(): void {
    this.#timer?.cancel();
    this.#removed.clear();
    this.#held = [];
  }

  #doubt(scene: string): void {
    this.#removed.add(scene);
    this.#timer?.cancel();
    this.#timer = this.#clock.after(patienceMs, () => {
      this.clear();
      this.#options.giveUp();
    });
  }
}
