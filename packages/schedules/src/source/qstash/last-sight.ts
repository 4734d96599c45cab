// The last known content of QStash, to detect changes.
import type { TopicContent } from '../../model/schedule.ts';

/** The changed topics, and whether topics were added or removed. */
export interface SightChanges {
  topics: string[];
  hasNewList: boolean;
}

export class LastSight {
  /** Each topic's content as text. */
  #seen = new Map<string, string>();
  /** Before the first poll, only topics that this process has changed are known. */
  #hasLooked = false;
  /** Topics whose change was already announced: the next poll must not announce it again. */
  readonly #told = new Set<string>();

  /**
   * Stores the current content and returns the changes to announce. At the first poll there is nothing to compare with:
   * watched topics may have changed since their watch began, so they count as changed.
   */
  compare(contents: readonly TopicContent[], watched: readonly string[]): SightChanges {
    const [before, now] = [this.#seen, new Map(contents.map((content) => [content.topic, JSON.stringify(content)]))];
    const isFirst = !this.#hasLooked;
    const vanished = [...before.keys()].filter((topic) => !now.has(topic));
    const appeared = isFirst ? [] : [...now.keys()].filter((topic) => !before.has(topic));
    const changed = [...now].flatMap(([topic, text]) =>
      before.has(topic) && before.get(topic) !== text ? [topic] : [],
    );
    const news = new Set([...(isFirst ? watched : []), ...appeared, ...changed, ...vanished]);
    for (const topic of this.#told) news.delete(topic);
    this.#seen = now;
    this.#hasLooked = true;
    this.#told.clear();
    return { topics: [...news], hasNewList: appeared.length + vanished.length > 0 };
  }

  /** Records that a topic exists. */
  met(topic: string): void {
    if (!this.#hasLooked && !this.#seen.has(topic)) this.#seen.set(topic, '');
  }

  /** Records a change by this process, and returns the changes to announce. */
  changed(topic: string): SightChanges {
    const isNew = !this.#seen.has(topic);
    if (isNew) this.#seen.set(topic, '');
    this.#told.add(topic);
    return { topics: [topic], hasNewList: isNew };
  }
}
