// Messages that were rejected after they were sent. Their news count as not sent: they are due again after a pause, a
// few times, and are then given up with a reason.
import { BoundedMap } from '@tidings/live/portable';
import type { Clock, Timer } from '@tidings/live/time';
import { type News, newsKey } from './news.ts';

interface RejectedMessagesDeps<N extends News> {
  clock: Pick<Clock, 'now' | 'after'>;
  /** Called with the news of one message that are due again. */
  again(this: void, news: readonly N[]): void;
  /** Drops these messages for good. */
  giveUp(this: void, news: readonly N[], reason: string): void;
}

/** The pauses before each retry. */
const pausesMs = [1000, 5000, 25_000];
/** After this time without a rejection, the next counts as the first. */
const forgetMs = 5 * 60_000;
/** The contents of this many latest messages are remembered. */
const mostMessages = 500;

interface WaitingNews<N> {
  news: readonly N[];
  timer: Timer;
}

export class RejectedMessages<N extends News = News> {
  readonly #deps: RejectedMessagesDeps<N>;
  readonly #sent = new BoundedMap<string, readonly N[]>(mostMessages);
  readonly #tries = new Map<string, { count: number; at: number }>();
  readonly #waiting = new Set<WaitingNews<N>>();
  /** Waiting for a retry and not sent since, by key. */
  readonly #due = new Map<string, N>();

  constructor(deps: RejectedMessagesDeps<N>) {
    this.#deps = deps;
  }

  /** Call it before the message is sent: its rejection may arrive before sending is done. */
  sent(id: string, news: readonly N[]): void {
    this.#sent.set(id, news);
    for (const each of news) this.#due.delete(newsKey(each));
  }

  /** Returns whether the message was one of these. */
  rejected(id: string, reason: string): boolean {
    const news = this.#sent.get(id);
    if (news === undefined) return false;
    this.#sent.delete(id);
    const counted = news.map((each) => ({ each, count: this.#count(newsKey(each)) }));
    const hopeless = counted.filter(({ count }) => count > pausesMs.length).map(({ each }) => each);
    const others = counted.filter(({ count }) => count <= pausesMs.length);
    if (hopeless.length > 0) this.#deps.giveUp(hopeless, reason);
    if (others.length > 0) {
      const most = Math.max(...others.map(({ count }) => count));
      this.#wait(
        others.map(({ each }) => each),
        pausesMs[most - 1] ?? 0,
      );
    }
    return true;
  }

  /** The number of messages that wait for a retry. */
  get waiting(): number {
    return [...this.#waiting].filter(({ news }) => news.some((each) => this.#isDue(each))).length;
  }

  /** The news that wait for a retry, for a caller that sends them now. Sent messages are forgotten. */
  takeDue(): News[] {
    for (const { timer } of this.#waiting) timer.cancel();
    this.#waiting.clear();
    this.#sent.clear();
    const due = [...this.#due.values()];
    this.#due.clear();
    return due;
  }

  #wait(news: readonly N[], ms: number): void {
    for (const each of news) this.#due.set(newsKey(each), each);
    const timer = this.#deps.clock.after(ms, () => {
      this.#waiting.delete(waiting);
      const due = news.filter((each) => this.#isDue(each));
      for (const each of due) this.#due.delete(newsKey(each));
      if (due.length > 0) this.#deps.again(due);
    });
    const waiting = { news, timer };
    this.#waiting.add(waiting);
  }

  #isDue(news: N): boolean {
    return this.#due.get(newsKey(news)) === news;
  }

  /** How often it was rejected, this time included. */
  #count(key: string): number {
    const at = this.#deps.clock.now();
    for (const [each, tried] of this.#tries) {
      if (at - tried.at <= forgetMs) break;
      this.#tries.delete(each);
    }
    const count = (this.#tries.get(key)?.count ?? 0) + 1;
    // In the order of the last rejection.
    this.#tries.delete(key);
    this.#tries.set(key, { count, at });
    return count;
  }
}
