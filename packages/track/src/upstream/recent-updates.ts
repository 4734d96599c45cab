// The URIs of the last updates of one server.

const mostKept = 10;

export class RecentUpdates {
  /** In order of their last update, the latest last. */
  readonly #uris = new Set<string>();

  /** The latest first. */
  get uris(): readonly string[] {
    return [...this.#uris].toReversed();
  }

  add(uri: string): void {
    this.#uris.delete(uri);
    this.#uris.add(uri);
    const [oldest] = this.#uris;
    if (this.#uris.size > mostKept && oldest !== undefined) this.#uris.delete(oldest);
  }

  delete(uri: string): void {
    this.#uris.delete(uri);
  }
}
