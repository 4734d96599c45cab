// The archived state of a tracker, as it is loaded at the start.
import type { RememberedEra } from '../connection/open/era-memory.ts';
import type { RememberedResource } from '../mirror/resource-record.ts';
import type { RememberedDefinitions } from './definition-archive.ts';
import type { JournalEntry } from './journal.ts';

export interface Remembered {
  events: readonly JournalEntry[];
  /** The position of the last event. */
  position: number;
  /** By server, by URI. */
  resources: ReadonlyMap<string, ReadonlyMap<string, RememberedResource>>;
  eras: ReadonlyMap<string, RememberedEra>;
  definitions: RememberedDefinitions;
}

export const nothingRemembered: Remembered = {
  events: [],
  position: 0,
  resources: new Map(),
  eras: new Map(),
  definitions: new Map(),
};
