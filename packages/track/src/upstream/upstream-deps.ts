// What one upstream is given by the tracker.
import type { Clock } from '@tidings/live';
import type { ServerEntry } from '../config/config.ts';
import type { RememberedEra } from '../connection/era-memory.ts';
import type { OpenSession } from '../connection/session.ts';
import type { KnownDefinitions } from '../definition/known-definitions.ts';
import type { Recorder } from '../journal/recorder.ts';
import type { TrackerLog } from '../base/log.ts';
import type { RememberedResource } from '../mirror/resource-record.ts';
import type { Snapshots } from '../mirror/snapshots.ts';
import type { TrackerSettings } from '../settings.ts';
import type { Telemetry } from '../telemetry.ts';

export interface UpstreamDeps {
  clock: Clock;
  random: () => number;
  settings: TrackerSettings;
  telemetry: Telemetry;
  snapshots: Snapshots;
  log: Required<TrackerLog>;
  /** What was told of its resources until the tracker last ended. */
  remembered: ReadonlyMap<string, RememberedResource>;
  /** What is known of its tools, prompts and instructions. */
  definitions: KnownDefinitions;
  opener(this: void, entry: ServerEntry): OpenSession;
  /** Resolves when a server that was away can be reached again; never where only an attempt can tell. */
  untilBack(this: void, entry: ServerEntry, signal: AbortSignal): Promise<void>;
  /** Takes the secrets of this entry out of what its server said. */
  conceal(this: void, entry: ServerEntry, text: string): string;
  eraOf(this: void, entry: ServerEntry): RememberedEra | undefined;
  recorder: Recorder;
}
