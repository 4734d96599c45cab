// Counts the URIs that one stream or session watches against its caller's quotas: their number and their total length.
import type { Caller } from '../resource/caller.ts';
import type { Hold, Quotas } from './quotas.ts';

export class WatchedHold {
  readonly #uris: Hold;
  readonly #characters: Hold;

  constructor(quotas: Quotas, caller: Pick<Caller, 'auth'>) {
    this.#uris = quotas.hold(caller, 'watchedUris', 0);
    this.#characters = quotas.hold(caller, 'watchedCharacters', 0);
  }

  /** If it throws `LimitExceeded`, nothing was taken. */
  add(uris: readonly string[]): void {
    this.#uris.add(uris.length);
    try {
      this.#characters.add(charactersIn(uris));
    } catch (error) {
      this.#uris.remove(uris.length);
      throw error;
    }
  }

  remove(uri: string): void {
    this.#uris.remove(1);
    this.#characters.remove(uri.length);
  }

  release(): void {
    this.#uris.release();
    this.#characters.release();
  }
}

function charactersIn(uris: readonly string[]): number {
  return uris.reduce((sum, { length }) => sum + length, 0);
}
