// After a gap: reads again what was followed, a few at a time, and finds what is not what listeners were told.
import type { Clock } from '@tidings/live';
import { forEachLimited } from '../base/for-each-limited.ts';
import type { Look } from './mirror.ts';
import type { ResourceRecord } from './resource-record.ts';

export interface HealingOptions {
  /** Whether the connection is still the one this began with; another one begins again. */
  isCurrent(this: void): boolean;
  /** Whether a look is worth it; what is too large is not read only to be thrown away. */
  isWorthReading(this: void, record: ResourceRecord): boolean;
  /** Nothing where it cannot be read. */
  look(this: void, record: ResourceRecord): Promise<Look | undefined>;
  /** Whether there is nothing to compare with, though the journal's readers may hold something. */
  isUnknown(this: void, record: ResourceRecord): boolean;
  /** Tells at once those listeners who were told something else; says whether there were any. */
  compare(this: void, record: ResourceRecord, hash: string): boolean;
  /** A notification came while it was looked at. */
  overtaken(this: void, record: ResourceRecord): void;
  /** It has been compared, or given up as one that cannot be; `doubt` is the one that this began with. */
  done(this: void, record: ResourceRecord, doubt: number): void;
  atOnce: number;
  clock: Clock;
}

export interface Healed {
  changed: number;
  same: number;
  /** Followed before, and it cannot be known whether it changed; with what it is, where that is known. */
  inDoubt: { record: ResourceRecord; hash: string | undefined; version: number }[];
}

export async function heal(records: Iterable<ResourceRecord>, options: HealingOptions): Promise<Healed> {
  const { isCurrent, isWorthReading, look, isUnknown, compare, overtaken, done, atOnce, clock } = options;
  const healed: Healed = { changed: 0, same: 0, inDoubt: [] };
  await forEachLimited(records, atOnce, clock, async (record) => {
    // What is not compared under this connection stays in doubt, and is compared under the next.
    if (!isCurrent()) return;
    const { doubt } = record;
    const found = isWorthReading(record) ? await look(record) : undefined;
    if (!isCurrent()) return;
    const hash = found?.hash;
    if (found?.isCurrent === false) {
      overtaken(record);
    } else if (hash === undefined || isUnknown(record)) {
      if (!record.isFresh) healed.inDoubt.push({ record, hash, version: record.version });
    } else if (compare(record, hash)) {
      healed.changed += 1;
    } else {
      healed.same += 1;
    }
    done(record, doubt);
  });
  return healed;
}
