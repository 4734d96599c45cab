// Resources whose reads failed while OBS was not connected. They are announced after the reconnection, even if nothing
// changed, since their readers last got an error.

const most = 10_000;

export class MissedReads {
  readonly #uris = new Set<string>();

  add(uri: string): void {
    if (this.#uris.size < most) this.#uris.add(uri);
  }

  take(): string[] {
    const uris = [...this.#uris];
    this.#uris.clear();
    return uris;
  }
}
