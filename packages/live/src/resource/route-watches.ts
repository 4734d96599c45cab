// Calls a route's `watch` once per resource, for any number of spellings and subscriptions.
import type { Log } from '../base/log.ts';
import { isPromiseLike } from '../portable/is-promise-like.ts';
import type { Watch } from './resource-directory.ts';
import type { WatchEnd } from './route.ts';

interface RouteWatch {
  watchers: number;
  end: () => void;
}

export class RouteWatches {
  readonly #log: Log;
  readonly #route: string;
  /** The open watches by canonical URI. */
  readonly #open = new Map<string, RouteWatch>();

  /** `route` is for the log. */
  constructor(log: Log, route: string) {
    this.#log = log;
    this.#route = route;
  }

  /** Calls `watch`, unless this resource is watched already. */
  begin(canonical: string, watch: () => WatchEnd | Promise<WatchEnd>): Watch {
    const shared = this.#open.get(canonical) ?? { watchers: 0, end: this.#call(canonical, watch) };
    shared.watchers += 1;
    this.#open.set(canonical, shared);
    return {
      end: () => {
        shared.watchers -= 1;
        if (shared.watchers > 0) return;
        this.#open.delete(canonical);
        shared.end();
      },
    };
  }

  /** Returns a function that ends the watch. A failure of either is logged and has no other effect. */
  #call(uri: string, watch: () => WatchEnd | Promise<WatchEnd>): () => void {
    const failed = (error: unknown) =>
      this.#log.error({ err: error, route: this.#route, handler: 'watch', uri }, 'watch failed.');
    const end = (stop: WatchEnd) => {
      try {
        const ended: unknown = stop?.();
        if (isPromiseLike(ended)) Promise.resolve(ended).catch(failed);
      } catch (error) {
        failed(error);
      }
    };
    let begun: WatchEnd | Promise<WatchEnd>;
    try {
      begun = watch();
    } catch (error) {
      failed(error);
      return () => undefined;
    }
    if (begun === undefined || typeof begun === 'function') {
      const stop = begun;
      return () => end(stop);
    }
    // The watch may be ended before it has begun: then it is stopped as soon as it has.
    const beginning = Promise.resolve(begun);
    beginning.catch(failed);
    return () => void beginning.then(end, () => undefined);
  }
}
