// Everything that is kept about one followed resource.
import { type Known, Told } from './told.ts';

/** What was archived of it; `nothing` where it has no row. */
type Archived = { known: Known; isListed: boolean } | 'nothing';

export interface RememberedResource {
  known: Known;
  /** The journal has said that it is listed. */
  isListed: boolean;
}

export class ResourceRecord {
  readonly uri: string;
  /** Another number after each invalidation, so that a read knows whether one came while it was under way. */
  version = 0;
  /** The hash of what it is, from the last read that nothing has overtaken. */
  seen: string | undefined;
  /** What it was until the last notification, while nothing has been read since. */
  seenBefore: string | undefined;
  /** The hash of the last read, current or not, and since when reads return it. */
  lastRead: { hash: string; since: number } | undefined;
  isTooLarge = false;
  /** The last read that nothing has overtaken found that there is none. */
  isAbsent = false;
  /** Followed, and never compared. */
  isFresh: boolean;
  /** Not 0: it may have changed unheard, and has to be compared. Another number for each doubt. */
  doubt = 0;
  readonly watchers = new Told(undefined);
  readonly journal: Told;
  /** The journal owes an event at the end of a window. */
  isPending = false;
  /** What its readers hold was confirmed by a read, and counts once notifications have been heard later than this. */
  settlesAt: number | undefined;
  /** What its readers hold was never told, only read, and they may hold something else. */
  isUncertain = false;
  /** The journal has said that it is listed. */
  isListed: boolean;
  archived: Archived;

  constructor(uri: string, remembered?: RememberedResource) {
    this.uri = uri;
    this.isFresh = remembered === undefined;
    this.journal = new Told(remembered?.known);
    this.isListed = remembered?.isListed ?? false;
    this.seen = remembered?.known ?? undefined;
    this.archived = remembered ?? 'nothing';
  }

  /** What outlives the process: only what the journal's readers hold for certain. */
  get durable(): Known {
    const { known } = this.journal;
    if (this.settlesAt === undefined && !this.isUncertain) return known;
    return this.wasTold ? null : undefined;
  }

  /** Whether the archive has something that the journal's readers were told, or held for certain. */
  get wasTold(): boolean {
    return this.archived !== 'nothing' && this.archived.known !== undefined;
  }
}
