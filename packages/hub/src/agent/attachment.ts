// One agent session from attaching to its loss: the messages that are being sent, and those that were sent but not
// confirmed. Work that still runs for an ended attachment has no effect.
import { type Batch, type News, newsKey } from '@tidings/client/tell';
import type { Announcements } from './message/announcement.ts';

export class Attachment {
  readonly since: number;
  /** New for each attachment: a reopened session does not have the earlier conversation. */
  readonly announcements: Announcements;
  isSending = false;
  readonly #confirms: boolean;
  #batch: Batch | undefined;
  /** How many updates of the batch were sent. */
  #completed = 0;
  #messages = 0;
  /** Updates that were sent and not confirmed, each with the number of its message, in order. */
  readonly #unconfirmed = new Map<string, { news: News; message: number }>();

  /** `confirms`: the port confirms delivered messages; otherwise a sent message counts as delivered. */
  constructor(since: number, confirms: boolean, announcements: Announcements) {
    this.since = since;
    this.announcements = announcements;
    this.#confirms = confirms;
  }

  begin(batch: Batch): void {
    this.#batch = batch;
    this.#completed = 0;
  }

  /** The number of the next message, and the updates in it, if `completed` of the batch are delivered with it. */
  next(completed: number): { message: number; news: readonly News[] } {
    // A message that completes no update is the first of several about the next one.
    const news = this.#batch?.news.slice(this.#completed, Math.max(completed, this.#completed + 1)) ?? [];
    return { message: this.#messages + 1, news };
  }

  /** One more message was sent, with which `completed` updates of the batch are delivered. Returns those of this message. */
  messageSent(completed: number): readonly News[] {
    this.#messages += 1;
    const delivered = this.#batch?.news.slice(this.#completed, completed) ?? [];
    for (const news of this.#confirms ? delivered : []) {
      const key = newsKey(news);
      this.#unconfirmed.delete(key);
      this.#unconfirmed.set(key, { news, message: this.#messages });
    }
    this.#completed = completed;
    return delivered;
  }

  end(): void {
    this.#batch = undefined;
  }

  /** The first `messages` messages have arrived. */
  arrived(messages: number): void {
    for (const [key, { message }] of this.#unconfirmed) {
      if (message > messages) return;
      this.#unconfirmed.delete(key);
    }
  }

  /** The updates to send again: a duplicate is better than a loss. */
  get undelivered(): News[] {
    const unconfirmed = [...this.#unconfirmed.values()].map(({ news }) => news);
    return [...unconfirmed, ...(this.#batch?.news.slice(this.#completed) ?? [])];
  }

  /** How many messages they were, or would have been: a summary is one. */
  get undeliveredMessages(): number {
    const unconfirmed = new Set([...this.#unconfirmed.values()].map(({ message }) => message));
    const unsent = this.#batch?.news.slice(this.#completed).length ?? 0;
    return unconfirmed.size + (this.#batch?.isSummary ? Math.min(1, unsent) : unsent);
  }
}
