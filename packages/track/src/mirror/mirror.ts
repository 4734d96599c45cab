// The contents of one server's resources: a record for each that is followed, and the latest content that was read.
// Reads are made here; upstream/follow/followed-resources.ts decides what they mean for listeners.
import type { ReadResourceResult } from '@modelcontextprotocol/client';
import { type Clock, LiveError } from '@tidings/live';
import { absent, fingerprint, contentsSize } from './fingerprint.ts';
import { Reads } from './reads.ts';
import { type RememberedResource, ResourceRecord } from './resource-record.ts';
import type { ResourceServer } from './resource-server.ts';
import { memorySize, memoryOfTypes } from './memory-size.ts';
import type { Snapshot, Snapshots } from './snapshots.ts';
import type { ListenerContent } from './listener-content.ts';
import type { Version, Versions } from './versions.ts';

interface MirrorDeps {
  serverId: string;
  /** Names the connection of one user, whose contents no other connection gets. Default: all callers share them. */
  connection?: string | undefined;
  snapshots: Snapshots;
  versions: Versions;
  clock: Clock;
  /** Larger contents are neither kept nor hashed. */
  maxBytes: number;
  server: ResourceServer;
  observer: MirrorObserver;
  /** What watchers hold, if another `Upstream` followed the server on this node before. */
  watcherContents: ReadonlyMap<string, ListenerContent>;
}

export interface MirrorObserver {
  /** A client has read a followed resource. Without a hash, the content is unknown. */
  served(record: ResourceRecord, hash: string | undefined, isCurrent: boolean): void;
}

/** The result of a read that the tracker made for itself. */
export interface CheckedContent {
  /** True if no notification invalidated it since the read began: then it is the present content. */
  isCurrent: boolean;
  /** `absent` if there is no such resource; undefined if it is too large. */
  hash: string | undefined;
  /** The hash, whatever the size. */
  print(this: void): string;
  ttlMs: number | undefined;
}

interface CompletedRead {
  version: number;
  result: ReadResourceResult;
  hash: string | undefined;
  ttlMs: number | undefined;
}

export class Mirror {
  readonly #deps: MirrorDeps;
  readonly #reads: Reads<CompletedRead>;
  readonly #records = new Map<string, ResourceRecord>();
  /** Snapshots of this mirror's own reads; a mirror that replaces it shares the rest. */
  readonly #kept = new WeakSet<Snapshot>();
  #hashed = 0;
  /** Version numbers are never reused, even if a resource is followed again. */
  #versions = 0;

  constructor(deps: MirrorDeps, remembered: ReadonlyMap<string, RememberedResource>) {
    this.#deps = deps;
    this.#reads = new Reads((uri, signal) => this.#read(uri, signal));
    for (const [uri, known] of remembered) this.#add(new ResourceRecord(uri, known, deps.watcherContents.get(uri)));
  }

  /**
   * Reads for clients: from the mirror within the server's ttlMs and under a subscription, otherwise from the server.
   */
  async read(uri: string, signal?: AbortSignal): Promise<ReadResourceResult> {
    const { clock, snapshots, server } = this.#deps;
    const kept = snapshots.get(this.#key(uri));
    const remaining = kept === undefined || kept.isStale ? 0 : kept.freshUntil - clock.now();
    if (kept?.result !== undefined && remaining > 0 && server.isSubscribed(uri)) {
      this.#served(uri, kept.hash, false);
      return { ...kept.result, ttlMs: Math.floor(remaining) };
    }
    const version = this.#versionOf(uri);
    try {
      const reading = await this.#reads.fresh(uri, signal);
      this.#served(uri, reading.hash, reading.version === this.#versionOf(uri));
      return reading.result;
    } catch (error) {
      const hash = isNotFound(error) ? absent : undefined;
      this.#served(uri, hash, hash !== undefined && version === this.#versionOf(uri));
      throw error;
    }
  }

  /** Reads for the tracker. Rejects if the resource could not be read; a resource that does not exist is a result. */
  async check(uri: string): Promise<CheckedContent> {
    const version = this.#versionOf(uri);
    try {
      const reading = await this.#reads.fresh(uri);
      const { version: readVersion, hash, result, ttlMs } = reading;
      return { ...this.#find(uri, readVersion, hash), print: () => hash ?? fingerprint(result.contents), ttlMs };
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return { ...this.#find(uri, version, absent), print: () => absent, ttlMs: undefined };
    }
  }

  /** The server has notified a change. */
  invalidate(record: ResourceRecord): void {
    record.version = this.#nextVersion();
    record.seenBefore = record.seen ?? record.seenBefore;
    this.#see(record, undefined);
    const kept = this.snapshot(record.uri);
    if (kept) kept.isStale = true;
  }

  /** Clients are answered from the server until each resource has been read again. */
  doubtAll(): void {
    for (const uri of this.#records.keys()) this.#doubt(uri);
  }

  get(uri: string): ResourceRecord | undefined {
    return this.#records.get(uri);
  }

  get records(): Iterable<ResourceRecord> {
    return this.#records.values();
  }

  get uris(): Iterable<string> {
    return this.#records.keys();
  }

  /** The number of resources whose content is known. */
  get hashed(): number {
    return this.#hashed;
  }

  /** What watchers hold of a resource that is followed here, or was by the predecessor. */
  watcherContents(uri: string): ListenerContent | undefined {
    return this.#records.get(uri)?.watchers ?? this.#deps.watcherContents.get(uri);
  }

  snapshot(uri: string): Snapshot | undefined {
    return this.#deps.snapshots.get(this.#key(uri));
  }

  /** The contents it had, the oldest first. */
  versions(uri: string): readonly Version[] {
    return this.#deps.versions.of(this.#key(uri));
  }

  /** Begins to follow a resource. A client that read it before holds the content that was served then. */
  follow(uri: string): ResourceRecord {
    const record = new ResourceRecord(uri, undefined, this.#deps.watcherContents.get(uri));
    const served = this.snapshot(uri)?.hash;
    if (served !== undefined) for (const told of [record.journal, record.watchers]) told.served(served);
    this.#add(record);
    // The resource may have changed since that read, without a notification.
    this.#doubt(uri);
    return record;
  }

  forget(record: ResourceRecord): void {
    this.handOver(record);
    this.#deps.snapshots.delete(this.#key(record.uri));
    this.#deps.versions.delete(this.#key(record.uri));
  }

  /** Another mirror follows the resource now: its content and versions are kept. */
  handOver(record: ResourceRecord): void {
    this.#see(record, undefined);
    this.#records.delete(record.uri);
    const kept = this.snapshot(record.uri);
    if (kept && this.#kept.has(kept)) this.#deps.snapshots.delete(this.#key(record.uri));
  }

  async #read(uri: string, signal: AbortSignal | undefined): Promise<CompletedRead> {
    const { server, maxBytes, clock } = this.#deps;
    const record = this.#records.get(uri);
    const version = this.#versionOf(uri);
    const result = await server.read(uri, signal);
    const bytes = contentsSize(result.contents);
    const hash = bytes > maxBytes ? undefined : fingerprint(result.contents);
    const ttlMs = typeof result['ttlMs'] === 'number' ? result['ttlMs'] : undefined;
    if (record && hash === undefined) record.lastRead = undefined;
    else if (record && hash !== undefined && record.lastRead?.hash !== hash) {
      record.lastRead = { hash, since: clock.now() };
    }
    const reading = { version, result, hash, ttlMs };
    if (version === this.#versionOf(uri)) this.#keep(uri, reading, bytes);
    if (record) this.#keepVersion(uri, reading, bytes);
    return reading;
  }

  #find(uri: string, version: number, hash: string | undefined): Omit<CheckedContent, 'print' | 'ttlMs'> {
    const record = this.#records.get(uri);
    const isCurrent = version === this.#versionOf(uri);
    if (record && isCurrent) this.#see(record, hash);
    return { isCurrent, hash };
  }

  #served(uri: string, hash: string | undefined, isCurrent: boolean): void {
    const record = this.#records.get(uri);
    if (record === undefined) return this.#deps.watcherContents.get(uri)?.served(hash);
    if (isCurrent) this.#see(record, hash);
    this.#deps.observer.served(record, hash, isCurrent);
  }

  #keep(uri: string, { result, hash, ttlMs }: CompletedRead, bytes: number): void {
    const { snapshots, clock } = this.#deps;
    const isText = result.contents.every((each) => 'text' in each);
    const mimeTypes = result.contents.map(({ mimeType }) => mimeType);
    const isKept = isText && hash !== undefined;
    const snapshot: Snapshot = {
      result: isKept ? result : undefined,
      mimeTypes,
      bytes,
      memory: memoryOfTypes(mimeTypes) + (isKept ? memorySize(result) : 0),
      hash,
      freshUntil: clock.now() + (ttlMs ?? 0),
      readAt: clock.date(),
      isStale: false,
    };
    this.#kept.add(snapshot);
    snapshots.set(this.#key(uri), snapshot);
  }

  /** A content that was replaced while it was read is a version too. */
  #keepVersion(uri: string, { result: { contents }, hash }: CompletedRead, bytes: number): void {
    const { versions, clock } = this.#deps;
    const memory = memorySize({ contents });
    if (!versions.takes(memory)) return;
    versions.add(this.#key(uri), {
      hash: hash ?? fingerprint(contents),
      bytes,
      memory,
      readAt: clock.date(),
      contents,
    });
  }

  #doubt(uri: string): void {
    const kept = this.snapshot(uri);
    if (kept) kept.freshUntil = Number.NEGATIVE_INFINITY;
  }

  #add(record: ResourceRecord): void {
    record.version = this.#nextVersion();
    this.#records.set(record.uri, record);
    if (record.seen !== undefined) this.#hashed += 1;
  }

  #see(record: ResourceRecord, hash: string | undefined): void {
    this.#hashed += Number(hash !== undefined) - Number(record.seen !== undefined);
    record.seen = hash;
  }

  #nextVersion(): number {
    this.#versions += 1;
    return this.#versions;
  }

  #versionOf(uri: string): number {
    return this.#records.get(uri)?.version ?? 0;
  }

  /** The contents of all connections of users are in one store. */
  #key(uri: string): string {
    const { serverId, connection } = this.#deps;
    return connection === undefined ? `${serverId} ${uri}` : JSON.stringify([connection, uri]);
  }
}

export function isNotFound(error: unknown): boolean {
  return error instanceof LiveError && error.code === 'RESOURCE_NOT_FOUND';
}
