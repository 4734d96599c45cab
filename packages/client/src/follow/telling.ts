// One agent that a page or a program notifies. Updates wait, merged by resource, until they may be sent: the same
// pacing as in the hub's sessions.
import { WakeUp, foregroundClock } from '@tidings/live/time';
import { Interest } from '../tell/interest.ts';
import { newsMessage, summaryMessage } from '../tell/message.ts';
import { type Batch, Pacing, type PacingOptions } from '../tell/pacing.ts';
import { type FollowOptions, type FollowedNews, assertHub, follow } from './follow.ts';

/** Which updates an agent gets, and when. Default: all, at once. */
export interface TellingOptions extends FollowOptions, PacingOptions {}

export class Telling {
  readonly #options: TellingOptions;
  readonly #pacing: Pacing<FollowedNews>;
  readonly #interest: Interest;
  readonly #news = new WakeUp(foregroundClock);

  constructor(options: TellingOptions) {
    assertHub(options.hub);
    this.#options = options;
    this.#interest = new Interest(options);
    this.#pacing = new Pacing(options, foregroundClock, () => this.#news.wake());
  }

  /** The model has started or finished an answer. */
  answering(isAnswering: boolean): void {
    this.#pacing.answering(isAnswering);
  }

  /** Yields the messages, until `signal`. */
  async *batches(signal: AbortSignal): AsyncGenerator<Batch<FollowedNews>, void> {
    void follow(this.#options, (news) => this.#offer(news), signal);
    try {
      while (!signal.aborted) {
        const batch = this.#pacing.take();
        if (batch) yield batch;
        else await this.#news.wait({ signal });
      }
    } finally {
      this.#pacing.close();
    }
  }

  /** Makes news that could not be delivered due again. */
  requeue(undelivered: readonly FollowedNews[], messages?: number): void {
    this.#pacing.requeue(undelivered, messages);
    this.#news.wake();
  }

  #offer(news: FollowedNews): void {
    if (!this.#interest.covers(news)) return;
    this.#pacing.offer(news);
    this.#news.wake();
  }
}

/** As sentences for an agent; a summary is one line for all. */
export function linesOf({ news, isSummary }: Batch): string[] {
  return isSummary ? [summaryMessage(news)] : news.map(newsMessage);
}
