// A change, and the feed of changes. The feed is ordered; a reader that cannot be given every change since its place
// gets a gap.

/** What was announced together. */
export interface Change {
  /** Its place in the feed, for going on after it later. Only the feed that made it can read it. */
  readonly cursor: string;
  /** What changed inside. */
  readonly topics: readonly string[];
}

/** What follows a feed: every change in order, or a gap where some were lost. */
export interface ChangeReader {
  /** It names its topics with `want`; other changes need not be delivered to it. */
  readonly isSelective?: boolean;
  change(change: Change): void;
  /** Changes were lost: assume that everything changed. */
  gap(): void;
}

/** How changes travel from where they are announced to the servers. Default: `MemoryFeed`. */
export interface ChangeFeed {
  /** Says that these topics are stale now. Call it after the state has changed, never before. */
  announce(topics: readonly string[]): void | Promise<void>;
  /**
   * Delivers every later change in order, or every one after the cursor `after` (and perhaps some before
   * it: telling twice is allowed, not telling is not). Returns how to stop.
   */
  follow(reader: ChangeReader, after?: string): () => void;
  /**
   * Asks for changes of this topic without delay. Only feeds between processes have it: there, a change that is not
   * wanted costs nothing, and may come a second later or, to selective readers, not at all.
   */
  want?(topic: string): Want;
}

/** A topic that is wanted. */
export interface Want {
  /** Resolves when later changes are delivered. */
  readonly ready: Promise<void>;
  end(this: void): void;
}

/** Topics for "the list itself changed", so that lists travel on the same feed as resources. */
export const listTopics = {
  resources: 'tidings:list:resources',
  tools: 'tidings:list:tools',
  prompts: 'tidings:list:prompts',
} as const;

export type ListName = keyof typeof listTopics;
