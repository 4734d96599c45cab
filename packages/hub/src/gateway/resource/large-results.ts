// Passes large results on one per turn of the event loop: writing one takes up to a tenth of a second, and hundreds of
// callers may have waited for the same read.
import type { ReadResourceResult } from '@modelcontextprotocol/client';
import { Turns } from '@tidings/live/time';
import { memorySize } from '@tidings/track/internal';

/** Bytes of memory of a large result. */
const largeFrom = 512 * 1024;

export class LargeResults {
  readonly #turns = new Turns();

  /** Resolves when this result may be passed on. */
  async turn(result: ReadResourceResult): Promise<void> {
    if (memorySize(result) < largeFrom) return;
    await this.#turns.take(() => undefined);
  }
}
