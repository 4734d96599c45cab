// Everything the tracker keeps about one followed resource.
import { type KnownContent, ListenerContent } from './listener-content.ts';

/** What the archive has of it; `nothing` if it has no row. */
type Archived = { known: KnownContent; isListed: boolean } | 'nothing';

export interface RememberedResource {
  known: KnownContent;
  /** The journal has reported it as listed. */
  isListed: boolean;
}

export class ResourceRecord {
  readonly uri: string;
  /** Changes with each invalidation, so that a read can tell whether one came while it was in progress. */
  version = 0;
  /** The hash of the present content, from the last read during which no notification came. */
  seen: string | undefined;
  /** The hash before the last notification, until the resource has been read again. */
  seenBefore: string | undefined;
  /** The hash of the last read, current or not, and since when reads return it. */
  lastRead: { hash: string; since: number } | undefined;
  isTooLarge = false;
  /** The last read during which no notification came found that it does not exist. */
  isAbsent = false;
  /** Followed, but never compared yet. */
  isFresh: boolean;
  /**
   * If not 0, the resource may have changed without a notification and has to be compared. Each doubt has its own
   * number.
   */
  doubt = 0;
  readonly watchers: ListenerContent;
  /** Watchers may have read the resource although it was never compared. */
  mayHaveBeenRead: boolean;
  readonly journal: ListenerContent;
  /** The journal has an event pending until the end of a window. */
  isPending = false;
  /**
   * What the journal's readers hold was confirmed by a read; it counts once notifications have arrived after this
   * time.
   */
  settlesAt: number | undefined;
  /** The journal's readers were never told of it, but may have read it, so they may hold something else. */
  isUncertain = false;
  /** The journal has reported it as listed. */
  isListed: boolean;
  /** The resource is not followed any more, and the journal has not yet reported its removal. */
  isLeaving = false;
  archived: Archived;

  /** `watchers`: what watchers hold, if another `Upstream` followed the resource before. */
  constructor(uri: string, remembered?: RememberedResource, watchers?: ListenerContent) {
    this.uri = uri;
    this.watchers = watchers ?? new ListenerContent(undefined);
    this.mayHaveBeenRead = watchers !== undefined;
    this.isFresh = remembered === undefined;
    this.journal = new ListenerContent(remembered?.known);
    this.isListed = remembered?.isListed ?? false;
    this.seen = remembered?.known ?? undefined;
    this.archived = remembered ?? 'nothing';
  }

  /** What is archived: only what the journal's readers hold for certain. */
  get durable(): KnownContent {
    const { known } = this.journal;
    if (this.settlesAt === undefined && !this.isUncertain) return known;
    return this.isKnownToReaders ? null : undefined;
  }

  /** Whether the archive holds something that the journal's readers were told or held for certain. */
  get isKnownToReaders(): boolean {
    return this.archived !== 'nothing' && this.archived.known !== undefined;
  }
}
