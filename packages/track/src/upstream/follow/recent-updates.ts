// The URIs of the last updates of one server.
import { BoundedSet } from '@tidings/live/portable';

const mostKept = 10;

export class RecentUpdates {
  /** In order of their last update, the latest last. */
  readonly #uris = new BoundedSet<string>(mostKept);

  /** The latest first. */
  get uris(): readonly string[] {
    return [...this.#uris].toReversed();
  }

  add(uri: string): void {
    this.#uris.add(uri);
  }

  delete(uri: string): void {
    this.#uris.delete(uri);
  }
}
