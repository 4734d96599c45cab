// What one upstream is given by the tracker.
import type { Clock } from '@tidings/live';
import type { ServerEntry } from './config/config.ts';
import type { RememberedEra } from './connection/era-memory.ts';
import type { OpenSession } from './connection/session.ts';
import type { KnownDefinitions } from './definition/known-definitions.ts';
import type { UndatedEvent } from './journal/event.ts';
import type { TrackerLog } from './log.ts';
import type { Known } from './mirror/mirror.ts';
import type { Snapshots } from './mirror/snapshots.ts';
import type { TrackerSettings } from './settings.ts';
import type { Telemetry } from './telemetry.ts';

export interface UpstreamSurroundings {
  clock: Clock;
  random: () => number;
  settings: TrackerSettings;
  telemetry: Telemetry;
  snapshots: Snapshots;
  log: Required<TrackerLog>;
  /** What was known of its resources when the tracker last ran. */
  remembered: ReadonlyMap<string, Known>;
  /** What is known of its tools, prompts and instructions. */
  definitions: KnownDefinitions;
  opener(this: void, entry: ServerEntry): OpenSession;
  /** Resolves when a server that was away can be reached again; never where only an attempt can tell. */
  untilBack(this: void, entry: ServerEntry, signal: AbortSignal): Promise<void>;
  /** Takes the secrets of this entry out of what its server said. */
  conceal(this: void, entry: ServerEntry, text: string): string;
  eraOf(this: void, entry: ServerEntry): RememberedEra | undefined;
  append(this: void, event: UndatedEvent): void;
  remember(this: void, uri: string, known: Known): void;
  /** Nothing is to be remembered of it any more. */
  drop(this: void, uri: string): void;
}
