// The followed resources of one server, between the wire and the listeners. Every update takes the same path (mirror,
// watchers, window, journal), whether it was notified, polled or found after a gap. Contents are compared with those
// that listeners were notified of, not with those that were last read: SPEC.md has the invariants.
import type { Clock } from '@tidings/live';
import type { Counter } from 'prom-client';
import type { JournalRecorder } from '../../journal/journal-recorder.ts';
import { Doubts } from '../../mirror/doubts.ts';
import { absent } from '../../mirror/fingerprint.ts';
import { type CheckedContent, Mirror, type MirrorObserver } from '../../mirror/mirror.ts';
import type { RememberedResource, ResourceRecord } from '../../mirror/resource-record.ts';
import type { ResourceServer } from '../../mirror/resource-server.ts';
import type { Snapshots } from '../../mirror/snapshots.ts';
import type { ListenerContent } from '../../mirror/listener-content.ts';
import type { Versions } from '../../mirror/versions.ts';
import type { TrackerSettings } from '../../options/settings.ts';
import { onlyInFirst } from '../../subscription/only-in-first.ts';
import type { WantedChange } from '../../subscription/wanted-uris.ts';
import type { Telemetry } from '../../base/telemetry.ts';
import { Healing } from './healing.ts';
import { Listeners, type WatcherPort } from './listeners.ts';
import { RecentUpdates } from './recent-updates.ts';
import { ResourceChecks } from './resource-checks.ts';
import { type ReadObserver, ResourceReads } from './resource-reads.ts';

interface FollowedDeps {
  serverId: string;
  /** Names the connection of one user, whose contents no other connection gets. Default: all callers share them. */
  connection?: string | undefined;
  clock: Clock;
  settings: TrackerSettings;
  telemetry: Telemetry;
  snapshots: Snapshots;
  versions: Versions;
  server: ResourceServer;
  recorder: JournalRecorder;
  handover: {
    watchers: WatcherPort;
    /** What watchers were told, if another `Upstream` followed the server on this node before. */
    watcherContents: ReadonlyMap<string, ListenerContent>;
  };
}

export class FollowedResources implements MirrorObserver, ReadObserver {
  readonly #deps: FollowedDeps;
  readonly #reads: ResourceReads;
  readonly #doubts = new Doubts();
  /** Their contents, as last read. */
  readonly mirror: Mirror;
  readonly listeners: Listeners;
  readonly recent = new RecentUpdates();
  readonly healing: Healing;
  readonly checks: ResourceChecks;
  readonly #received: Counter.Internal;

  /** `remembered`: what listeners were told before the tracker last stopped. */
  constructor(deps: FollowedDeps, remembered: ReadonlyMap<string, RememberedResource>) {
    const { clock, server, settings } = deps;
    const { watchers, watcherContents } = deps.handover;
    const { maxContentBytes, readsAtOnce, windowMs } = settings;
    this.#deps = deps;
    // Kept, because looking up a counter by its labels takes longer than all other work here on an update.
    this.#received = deps.telemetry.received.labels({ server: deps.serverId });
    this.mirror = new Mirror({ ...deps, watcherContents, maxBytes: maxContentBytes, observer: this }, remembered);
    this.#reads = new ResourceReads({ mirror: this.mirror, server, clock, maxContentBytes }, this);
    this.listeners = new Listeners({ ...deps, watchers, windowMs, mirror: this.mirror, reads: this.#reads });
    const healing = { ...deps, doubts: this.#doubts, reads: this.#reads, listeners: this.listeners, readsAtOnce };
    this.healing = new Healing(healing);
    this.checks = new ResourceChecks({ mirror: this.mirror, reads: this.#reads, listeners: this.listeners, clock });
    for (const record of this.mirror.records) this.#doubt(record);
  }

  /** Handles a notification of the server. */
  updated(uri: string): void {
    const record = this.mirror.get(uri);
    if (record === undefined) return;
    this.#received.inc();
    this.recent.add(uri);
    this.mirror.invalidate(record);
    this.#reads.notified(record);
    this.listeners.notify(record);
  }

  /**
   * Follows the wanted resources and leaves the others, whose URIs it returns. Call it before subscribing: an update may
   * arrive before the answer.
   */
  followOnly(wanted: ReadonlySet<string>, { added, removed, isWhole }: WantedChange): readonly string[] {
    // A whole comparison includes resources that were followed when the tracker last ran.
    const left = isWhole ? onlyInFirst(this.mirror.uris, wanted) : removed;
    for (const uri of left) this.leave(uri);
    for (const uri of isWhole ? wanted : added) this.follow(uri);
    return left;
  }

  /** Starts to follow a resource: from now on its updates are reported. */
  follow(uri: string): void {
    const record = this.mirror.get(uri);
    if (record === undefined) this.#follow(uri);
    else if (record.isLeaving) {
      record.isLeaving = false;
      this.#doubt(record);
    }
  }

  /**
   * Stops following a resource. Readers of the journal may believe it is listed until its removal is reported; the
   * record is kept until then, so that a resource that returns earlier is compared with what they were told.
   */
  leave(uri: string): void {
    const record = this.mirror.get(uri);
    if (record && this.listeners.isTracked && record.isListed) record.isLeaving = true;
    else this.forget(uri);
  }

  /**
   * Stops following at once. The archive keeps what listeners were told. `isTakenOver`: a successor follows the
   * resource now.
   */
  forget(uri: string, isTakenOver = false): void {
    const record = this.mirror.get(uri);
    if (record === undefined) return;
    if (isTakenOver) this.mirror.handOver(record);
    else this.mirror.forget(record);
    this.listeners.forget(record);
    this.#reads.forget(uri);
    this.#doubts.delete(record);
    this.recent.delete(uri);
  }

  /** Forgets everything after a successor has replaced this object; what the successor has read stays. */
  discard(successor: FollowedResources | undefined): void {
    for (const uri of this.mirror.uris) this.forget(uri, successor?.mirror.get(uri) !== undefined);
  }

  /**
   * Records which URIs the journal reported as listed and as removed. The archive drops the removed ones, unless they
   * are watched.
   */
  listed(uris: Iterable<string>, removed: Iterable<string>): void {
    for (const uri of uris) this.#list(uri, true);
    for (const uri of removed) {
      if (this.mirror.get(uri)?.isLeaving) this.forget(uri);
      if (this.mirror.get(uri)) this.#list(uri, false);
      else this.#deps.recorder.drop(uri);
    }
  }

  /** Handles a watched resource that is not listed any more: its removal is reported as an update. */
  vanished(uri: string): void {
    const record = this.mirror.get(uri);
    // If a notification has told the watchers already, there is nothing to do.
    if (record === undefined || (record.isAbsent && record.watchers.known === absent)) return;
    this.mirror.invalidate(record);
    record.journal.lose();
    this.listeners.tellWatchers(record);
    this.#reads.soonAnyway(record);
  }

  /**
   * Records that a watcher was answered before its subscription was: it is notified when the subscription is in force.
   */
  notifyWhenSubscribed(uri: string): void {
    const record = this.mirror.get(uri) ?? this.#follow(uri);
    // The resource is watched from now on: a report of its removal must not discard the pending notification.
    record.isLeaving = false;
    record.mayHaveBeenRead = true;
    record.watchers.tell();
    this.#doubt(record);
  }

  /** Marks a resource as possibly changed without a notification. */
  doubt(uri: string): void {
    const record = this.mirror.get(uri);
    if (record) this.#doubt(record);
  }

  /**
   * Marks all resources as possibly changed without a notification. What listeners were told is kept for the
   * comparison.
   */
  doubtAll(): void {
    this.#reads.clear();
    this.mirror.doubtAll();
    for (const record of this.mirror.records) this.#doubt(record);
  }

  /** Marks missing resources as possibly existing, after the list was read again. */
  doubtAbsent(): void {
    for (const record of this.mirror.records) if (record.isAbsent) this.#doubt(record);
  }

  /** Resumes the journal when tracking has been resumed and everything is in force: it lacks the changes since. */
  resume(): void {
    this.listeners.resume();
    for (const record of this.mirror.records) this.#doubt(record);
  }

  /** Cancels pending reads and announces pending events. */
  stop(): void {
    this.listeners.stop();
    this.#reads.clear();
  }

  served(record: ResourceRecord, hash: string | undefined, isCurrent: boolean): void {
    this.listeners.served(record, hash);
    if (isCurrent && hash !== undefined) this.#found(record, hash);
    this.listeners.archive(record);
  }

  checked(record: ResourceRecord, { isCurrent, hash }: CheckedContent): void {
    if (isCurrent && hash !== undefined) this.#found(record, hash);
    this.listeners.archive(record);
  }

  compare(record: ResourceRecord, hash: string): void {
    this.listeners.compare(record, hash);
  }

  #follow(uri: string): ResourceRecord {
    const record = this.mirror.follow(uri);
    this.#doubt(record);
    return record;
  }

  #doubt(record: ResourceRecord): void {
    this.#doubts.add(record);
    this.listeners.doubt(record);
  }

  #list(uri: string, isListed: boolean): void {
    const record = this.mirror.get(uri);
    if (record === undefined) return;
    record.isListed = isListed;
    this.listeners.archive(record);
  }

  /** Handles the result of a read during which no notification arrived. */
  #found(record: ResourceRecord, hash: string): void {
    const { seenBefore } = record;
    record.seenBefore = undefined;
    if (hash === seenBefore) this.#reads.later(record);
    if (hash === absent) record.isAbsent = true;
    else if (record.isAbsent) {
      record.isAbsent = false;
      this.#doubt(record);
      this.#deps.server.resubscribe(record.uri);
    }
    // A resource in doubt, or without a subscription, may have changed without a notification.
    if (record.doubt === 0 && this.#deps.server.isSubscribed(record.uri)) this.listeners.confirm(record, hash);
  }
}
