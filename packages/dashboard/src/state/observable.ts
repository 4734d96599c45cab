// A value that views observe. They are notified at most once per frame.
import { systemClock } from '@tidings/live/time';
import { useEffect, useState } from 'preact/hooks';

/** For pages in the background, which draw no frames. */
const backgroundMs = 500;

export class Observable {
  readonly #watchers = new Set<() => void>();
  #isPending = false;

  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  protected changed(): void {
    if (this.#isPending) return;
    this.#isPending = true;
    const notify = () => {
      if (!this.#isPending) return;
      this.#isPending = false;
      for (const watcher of this.#watchers) watcher();
    };
    requestAnimationFrame(notify);
    systemClock.after(backgroundMs, notify);
  }
}

/** Renders the component again when the value has changed. */
export function useObserved(...observed: readonly Observable[]): void {
  const [, redraw] = useState({});
  useEffect(() => {
    const ends = observed.map((each) => each.watch(() => redraw({})));
    return () => ends.forEach((end) => end());
  }, observed);
}
