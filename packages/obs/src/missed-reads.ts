// Resources that were read in vain while OBS was away. They are announced when it is back, even if nothing changed:
// what their readers got last was an error.

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
