// What the tracker provides to one upstream.
import type { ServerStatus } from '@tidings/client/contract';
import type { Clock } from '@tidings/live';
import type { TrackerLog } from '../base/log.ts';
import type { ServerEntry } from '../config/config.ts';
import type { RememberedEra } from '../connection/open/era-memory.ts';
import type { StderrLine } from '../connection/process/stderr-tail.ts';
import type { OpenSession } from '../connection/session/session.ts';
import type { JournalRecorder } from '../journal/journal-recorder.ts';
import type { Snapshots } from '../mirror/snapshots.ts';
import type { ListenerContent } from '../mirror/listener-content.ts';
import type { Versions } from '../mirror/versions.ts';
import type { TrackerSettings } from '../options/settings.ts';
import type { Catalog } from '../subscription/catalog/catalog.ts';
import type { Watchers } from '../subscription/watchers.ts';
import type { Offer } from './definition/upstream-definitions.ts';
import type { ServerMemory } from './memory/server-memory.ts';
import type { Telemetry } from '../base/telemetry.ts';

/** The port: how one configured server is reached, in its present entry. */
export interface ServerAccess {
  open(...attempt: Parameters<OpenSession>): ReturnType<OpenSession>;
  /** Resolves when a server that was unavailable accepts connections again; never if only an attempt can show that. */
  untilBack(signal: AbortSignal): Promise<void>;
  /** Removes the secrets of the server's entry from its text. */
  conceal(text: string): string;
  /** The last lines on stderr of the server's processes, without the secrets of its entry. */
  readonly stderr: readonly StderrLine[];
  /** The command with which the caller logs in. */
  readonly loginCommand: string;
  /** What the user should do if the server requires a login. */
  readonly loginAdvice: string;
  /** What the user should do about requests that the present login does not allow; empty if there were none. */
  readonly scopeAdvice: string;
  /** The era that was last negotiated with the server. */
  readonly era: RememberedEra | undefined;
  /** Records that the server sends requests to its client. */
  noteClientRequest(): void;
}

/**
 * The state that an `Upstream` passes to its successor when this node's role for the server changes: watchers keep
 * watching, and are notified only of differences.
 */
export interface Handover {
  readonly watchers: Watchers;
  /** What watchers were told, by URI. Both objects record their notifications in it. */
  readonly watcherContents: ReadonlyMap<string, ListenerContent>;
  /** The tools, prompts and instructions of the server, until they are read again. */
  readonly offer: Offer;
  /** The resources and templates of the server, until they are read again. */
  readonly catalog: Catalog;
}

export interface UpstreamDeps {
  clock: Clock;
  random: () => number;
  settings: TrackerSettings;
  telemetry: Telemetry;
  log: Required<TrackerLog>;
  /** For the entry of the server, which is replaced when the configuration is edited. */
  accessTo(this: void, entry: ServerEntry): ServerAccess;
  recorder: JournalRecorder;
  snapshots: Snapshots;
  versions: Versions;
  /** What is known of the server before it is connected. */
  memory: ServerMemory;
  /** From the predecessor, if there is one. */
  handover: Handover;
  /** Whether another node tracks, journals and holds definitions back, while this one only serves its own clients. */
  isFollower: boolean;
  /** The user whose connection this is, with a login of its own: not tracked, not journaled. Undefined: for all. */
  user: string | undefined;
  /** Returns the status to show to users, given the status of this node's own connection. */
  shown(this: void, own: ServerStatus): ServerStatus;
}
