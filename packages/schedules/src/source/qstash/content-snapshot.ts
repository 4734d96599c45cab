// The last known content of QStash, to detect changes.
import type { TopicContent } from '../../model/schedule.ts';

/** The changed topics, and whether topics were added or removed. */
export interface SnapshotChanges {
  topics: string[];
  hasNewList: boolean;
}

export class ContentSnapshot {
  /** Each topic's content as text. */
  #contents = new Map<string, string>();
  /** Before the first poll, only topics that this process has changed are known. */
  #hasPolled = false;
  /** Topics whose change was already announced: the next poll must not announce it again. */
  readonly #announced = new Set<string>();

  /**
   * Stores the current content and returns the changes to announce. At the first poll there is nothing to compare with:
   * watched topics may have changed since their watch began, so they count as changed.
   */
  compare(contents: readonly TopicContent[], watched: readonly string[]): SnapshotChanges {
    const [before, now] = [
      this.#contents,
      new Map(contents.map((content) => [content.topic, JSON.stringify(content)])),
    ];
    const isFirst = !this.#hasPolled;
    const vanished = [...before.keys()].filter((topic) => !now.has(topic));
    const appeared = isFirst ? [] : [...now.keys()].filter((topic) => !before.has(topic));
    const changed = [...now].flatMap(([topic, text]) =>
      before.has(topic) && before.get(topic) !== text ? [topic] : [],
    );
    const topics = new Set([...(isFirst ? watched : []), ...appeared, ...changed, ...vanished]);
    for (const topic of this.#announced) topics.delete(topic);
    this.#contents = now;
    this.#hasPolled = true;
    this.#announced.clear();
    return { topics: [...topics], hasNewList: appeared.length + vanished.length > 0 };
  }

  /** Records that a topic exists. */
  noteTopic(topic: string): void {
    if (!this.#hasPolled && !this.#contents.has(topic)) this.#contents.set(topic, '');
  }

  /** Records a change by this process, and returns the changes to announce. */
  changed(topic: string): SnapshotChanges {
    const isNew = !this.#contents.has(topic);
    if (isNew) this.#contents.set(topic, '');
    this.#announced.add(topic);
    return { topics: [topic], hasNewList: isNew };
  }
}
