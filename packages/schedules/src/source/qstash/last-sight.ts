// The last known content of QStash, to detect changes.
import type { TopicContent } from '../../model/schedule.ts';

/** Topics with news, and whether topics came or went. */
export interface SightChanges {
  topics: string[];
  hasNewList: boolean;
}

export class LastSight {
  /** Each topic's content as text. */
  #seen = new Map<string, string>();
  /** Until the first look, only topics that a change of ours touched are known. */
  #hasLooked = false;
  /** Topics whose change is already announced: the next poll must not announce it again. */
  readonly #told = new Set<string>();

  /**
   * Takes in what is there now. Returns what to announce. The first look has nothing to compare with: what
   * is watched by then may have changed since the watch began, so it counts as changed.
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

  /** A topic that turned out to be there. */
  met(topic: string): void {
    if (!this.#hasLooked && !this.#seen.has(topic)) this.#seen.set(topic, '');
  }

  /** A change of our own. Returns what to announce. */
  changed(topic: string): SightChanges {
    const isNew = !this.#seen.has(topic);
    if (isNew) this.#seen.set(topic, '');
    this.#told.add(topic);
    return { topics: [topic], hasNewList: isNew };
  }
}
