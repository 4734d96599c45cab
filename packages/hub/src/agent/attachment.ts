// One agent from its attaching to its loss: what is being told, and what was told but may not have arrived.
// Whatever still runs for an attachment that is over changes nothing any more.
import { type Batch, type News, keyOf } from '@tidings/track';
import type { Announcements } from './announcement.ts';

export class Attachment {
  readonly since: number;
  /** Its own: one that is attached anew knows nothing of what was told before. */
  readonly announcements: Announcements;
  isSending = false;
  readonly #confirms: boolean;
  #batch: Batch | undefined;
  /** How many of the batch were told. */
  #told = 0;
  #messages = 0;
  /** With the number of the message each was in, in order. */
  readonly #unconfirmed = new Map<string, { news: News; message: number }>();

  /** `confirms`: somebody says what has arrived; otherwise what was told counts as that. */
  constructor(since: number, confirms: boolean, announcements: Announcements) {
    this.since = since;
    this.announcements = announcements;
    this.#confirms = confirms;
  }

  begin(batch: Batch): void {
    this.#batch = batch;
    this.#told = 0;
  }

  /** The number of the next message, and what is in it, if so many of the batch are told with it. */
  next(told: number): { message: number; news: readonly News[] } {
    // One that completes none is the first of several about the next one.
    const news = this.#batch?.news.slice(this.#told, Math.max(told, this.#told + 1)) ?? [];
    return { message: this.#messages + 1, news };
  }

  /** One more message, with which so many of the batch are told. */
  wasTold(told: number): void {
    this.#messages += 1;
    for (const news of this.#confirms ? (this.#batch?.news.slice(this.#told, told) ?? []) : []) {
      const key = keyOf(news);
      this.#unconfirmed.delete(key);
      this.#unconfirmed.set(key, { news, message: this.#messages });
    }
    this.#told = told;
  }

  end(): void {
    this.#batch = undefined;
  }

  /** The first so many messages. */
  arrived(messages: number): void {
    for (const [key, { message }] of this.#unconfirmed) {
      if (message > messages) return;
      this.#unconfirmed.delete(key);
    }
  }

  /** What has to be told again: twice is better than not at all. */
  get untold(): News[] {
    const unconfirmed = [...this.#unconfirmed.values()].map(({ news }) => news);
    return [...unconfirmed, ...(this.#batch?.news.slice(this.#told) ?? [])];
  }
}
