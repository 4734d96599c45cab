// What the tracker provides to one upstream.
import type { ServerStatus } from '@tidings/client/contract';
import type { Clock } from '@tidings/live';
import type { TrackerLog } from '../base/log.ts';
import type { ServerEntry } from '../config/config.ts';
import type { RememberedEra } from '../connection/era-memory.ts';
import type { StderrTail } from '../connection/process/stderr-tail.ts';
import type { OpenSession } from '../connection/session.ts';
import type { KnownDefinitions } from '../definition/known-definitions.ts';
import type { Recorder } from '../journal/recorder.ts';
import type { RememberedResource } from '../mirror/resource-record.ts';
import type { Snapshots } from '../mirror/snapshots.ts';
import type { Told } from '../mirror/told.ts';
import type { Versions } from '../mirror/versions.ts';
import type { TrackerSettings } from '../settings.ts';
import type { Catalog } from '../subscription/catalog/catalog.ts';
import type { Watchers } from '../subscription/watchers.ts';
import type { Offer } from './server-definitions.ts';
import type { Telemetry } from '../telemetry.ts';

/** The port: how a configured server is reached. */
interface ServerAccess {
  opener(entry: ServerEntry): OpenSession;
  /** Resolves when a server that was unavailable accepts connections again; never if only an attempt can show that. */
  untilBack(entry: ServerEntry, signal: AbortSignal): Promise<void>;
  /** Removes the secrets of this entry from text of its server. */
  conceal(entry: ServerEntry, text: string): string;
  /** What to do if it wants a login. */
  loginAdvice(entry: ServerEntry): string;
  /** What to do about requests that the present login does not allow; empty if there were none. */
  scopeAdvice(entry: ServerEntry): string;
  /** The era that was last negotiated with it. */
  eraOf(entry: ServerEntry): RememberedEra | undefined;
  /** The last stderr lines of its processes. */
  readonly stderr: Pick<StderrTail, 'lines'>;
  /** Remembers that it asks its client for things. */
  noteAsks(entry: ServerEntry): void;
}

/**
 * The state that an `Upstream` passes to its successor when this node's role for the server changes: watchers keep
 * watching, and are told only of what differs from what they hold.
 */
export interface Handover {
  readonly watchers: Watchers;
  /** What watchers hold, by URI. Both objects record in it what they tell. */
  readonly watchersHold: ReadonlyMap<string, Told>;
  /** Its tools, prompts and instructions, until they are read again. */
  readonly offer: Offer;
  /** Its resources and templates, until they are read again. */
  readonly catalog: Catalog;
}

export interface UpstreamDeps {
  clock: Clock;
  random: () => number;
  settings: TrackerSettings;
  telemetry: Telemetry;
  log: Required<TrackerLog>;
  access: ServerAccess;
  recorder: Recorder;
  snapshots: Snapshots;
  versions: Versions;
  /** What was told of its resources until the tracker last ended. */
  remembered: ReadonlyMap<string, RememberedResource>;
  /** What it listed when it was last known. */
  earlierCatalog: Catalog;
  /** What is known of its tools, prompts and instructions. */
  definitions: KnownDefinitions;
  /** From the predecessor, if there is one. */
  handover: Handover;
  /** Another node tracks, journals and holds definitions back; this one only serves its own clients. */
  isFollower: boolean;
  /** The status as shown to users, given that of this node's own connection. */
  shown(this: void, own: ServerStatus): ServerStatus;
}
