// When OBS exits, it removes every scene and input before it announces the exit. After a real removal of a scene, a
// list of scenes without it follows at once; after that of an input nothing follows, so a time limit decides. Until
// then, announcements are held back.
import type { Clock, Timer } from '@tidings/live';
import type { EventOf, ObsEvent } from '../model/event.ts';

interface HeldRemovalsOptions {
  /** The removal was real: the held events, in their order. */
  apply(this: void, events: readonly ObsEvent[]): void;
  /** Neither a list nor an exit followed. */
  giveUp(this: void): void;
}

/** How long to wait for the list of scenes. */
const sceneMs = 1000;
/** How long to wait, after the removal of an input, for the removal of a scene or the exit. */
const inputMs = 250;

export class HeldRemovals {
  readonly #clock: Clock;
  readonly #options: HeldRemovalsOptions;
  readonly #removed = new Set<string>();
  #held: ObsEvent[] = [];
  #timer: Timer | undefined;

  constructor(clock: Clock, options: HeldRemovalsOptions) {
    this.#clock = clock;
    this.#options = options;
  }

  get isActive(): boolean {
    return this.#timer !== undefined;
  }

  /** Whether the event is held back or was handled. Scenes of other canvases are ignored. */
  takes(event: ObsEvent, scenes: readonly string[]): boolean {
    if (event.type === 'SceneRemoved' && scenes.includes(event.data.sceneName)) {
      this.#removed.add(event.data.sceneName);
      this.#wait(sceneMs, () => this.#options.giveUp());
    } else if (event.type === 'InputRemoved' && !this.isActive) {
      this.#wait(inputMs, () => this.#confirm());
    }
    if (!this.isActive) return false;
    this.#held.push(event);
    if (this.#removed.size > 0 && event.type === 'SceneListChanged' && this.#isConfirmedBy(event)) this.#confirm();
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

  #confirm(): void {
    const events = this.#held;
    this.clear();
    this.#options.apply(events);
  }

  #wait(ms: number, end: () => void): void {
    this.#timer?.cancel();
    this.#timer = this.#clock.after(ms, end);
  }
}
