// After a gap: reads again what was followed, a few at a time, and finds what is really different.
import type { Clock } from '@tidings/live';
import { forEachLimited } from '../pipeline.ts';
import type { Known, Look } from './mirror.ts';

export interface HealingOptions {
  known(this: void, uri: string): Known;
  /** Whether it was followed before the gap: only then is there anything to be told. */
  wasFollowed(this: void, uri: string): boolean;
  /** Whether a look is worth it; what is too large is not read only to be thrown away. */
  isWorthReading(this: void, uri: string): boolean;
  look(this: void, uri: string): Promise<Look>;
  /** Told at once, not at the end. */
  changed(this: void, uri: string): void;
  atOnce: number;
  clock: Clock;
}

export interface Healed {
  changed: number;
  same: number;
  /** Followed before, and nobody can say whether it changed. */
  inDoubt: string[];
}

export async function heal(uris: Iterable<string>, options: HealingOptions): Promise<Healed> {
  const { known, wasFollowed, isWorthReading, look, changed, atOnce, clock } = options;
  const healed: Healed = { changed: 0, same: 0, inDoubt: [] };
  await forEachLimited(uris, atOnce, clock, async (uri) => {
    const followed = wasFollowed(uri);
    const found = isWorthReading(uri) ? await look(uri).catch(() => undefined) : undefined;
    const before = found === undefined ? known(uri) : found.before;
    if (!followed) return;
    if (found !== undefined && !found.isCurrent) {
      // It was announced while we looked.
    } else if (before === null || (before !== undefined && found?.hash !== undefined && found.hash !== before)) {
      healed.changed += 1;
      changed(uri);
    } else if (before === undefined || found?.hash === undefined) {
      healed.inDoubt.push(uri);
    } else {
      healed.same += 1;
    }
  });
  return healed;
}
