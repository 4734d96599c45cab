// A change, and the feed of changes. The feed is ordered; a reader that cannot get every change since its position gets
// a gap.

/** Topics that were announced together. */
export interface Change {
  /** The position of the change in the feed, to resume after it. Valid only in the feed that made it. */
  readonly cursor: string;
  /** The topics that changed. */
  readonly topics: readonly string[];
}

/** A reader of a feed. It gets every change in order, or a gap where some were lost. */
export interface ChangeReader {
  /** The reader names its topics with `want`; other changes need not be delivered to it. */
  readonly isSelective?: boolean;
  change(change: Change): void;
  /** Changes were lost: assume that everything changed. */
  gap(): void;
}

/** Carries changes from where they are announced to the servers. Default: `MemoryFeed`. */
export interface ChangeFeed {
  /** Announces that these topics changed. Call it after the state has changed, never before. */
  announce(topics: readonly string[]): void | Promise<void>;
  /**
   * Delivers every later change in order, or every change after the cursor `after`. It may deliver some changes before
   * that cursor again, but may not omit any. Returns a function that stops this.
   */
  follow(reader: ChangeReader, after?: string): () => void;
  /**
   * Asks for changes of this topic without delay. Only feeds between processes have it: there, a change that no process
   * wants costs nothing, and may be delivered a second later or, to selective readers, not at all.
   */
  want?(topic: string): Want;
}

/** A request for changes of one topic. */
export interface Want {
  /** Resolves when all later changes of the topic will be delivered. */
  readonly ready: Promise<void>;
  end(this: void): void;
}

/** Topics of the lists themselves, so that list changes travel on the same feed as changes of resources. */
export const listTopics = {
  resources: 'tidings:list:resources',
  tools: 'tidings:list:tools',
  prompts: 'tidings:list:prompts',
} as const;

export type ListName = keyof typeof listTopics;
