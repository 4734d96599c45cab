// Large results are passed on one in each turn of the event loop: writing one takes up to a tenth of a second, and
// hundreds of callers may have waited for the same read.
import type { ReadResourceResult } from '@modelcontextprotocol/client';
import { eventLoopTurn } from '@tidings/live/time';

const largeFrom = 256 * 1024;

export class LargeResults {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when this result may be passed on. */
  async turn(result: ReadResourceResult): Promise<void> {
    if (sizeOf(result) < largeFrom) return;
    this.#last = this.#last.then(eventLoopTurn);
    await this.#last;
  }
}

function sizeOf({ contents }: ReadResourceResult): number {
  return contents.reduce((sum, each) => sum + ('blob' in each ? each.blob : each.text).length, 0);
}
