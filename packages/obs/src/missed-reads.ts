// Resources somebody wanted to read while OBS was away. They are told of when it is back, even if it
// comes back as it was: what they last got was an error.

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
