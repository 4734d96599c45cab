// What one server's resources contain, as far as is known: the latest content of what was read, and the
// hash of what was last seen of each. Invalidated before anything is announced.
import type { ReadResourceResult } from '@modelcontextprotocol/client';
import { type Clock, LiveError } from '@tidings/live';
import { absent, fingerprint, sizeOf } from './fingerprint.ts';
import { Reads } from './reads.ts';
import type { Snapshot, Snapshots } from './snapshots.ts';

export interface MirrorOptions {
  serverId: string;
  snapshots: Snapshots;
  clock: Clock;
  /** Larger contents are neither kept nor hashed. */
  maxBytes: number;
  /** Reads from the server. Rejects with a LiveError. */
  fetch(this: void, uri: string): Promise<ReadResourceResult>;
  /** Whether the server has agreed to tell when it changes, and can. */
  isWatched(this: void, uri: string): boolean;
  /** Somebody was given this content; without a hash, it is not known which. */
  served(this: void, uri: string, hash: string | undefined): void;
  /** What is known about the content has changed. */
  learned(this: void, uri: string, known: Known): void;
}

/** A hash; `null` while it changed and has not been read since; `undefined` where it never was hashed. */
export type Known = string | null | undefined;

/** What a look at a resource found. */
export interface Look {
  /** Nothing invalidated it meanwhile, so it is what the resource is. */
  isCurrent: boolean;
  /** What was known until then: if it is something else, nobody has been told. */
  before: Known;
  /** `absent` where there is no such resource; nothing where it is too large. */
  hash: string | undefined;
  /** Its hash, however large it is. */
  print(this: void): string;
  ttlMs: number | undefined;
}

interface Reading {
  version: number;
  result: ReadResourceResult;
  hash: string | undefined;
  ttlMs: number | undefined;
}

export class Mirror {
  readonly #options: MirrorOptions;
  readonly #reads: Reads<Reading>;
  /** Another number after each invalidation, so that a read knows whether one came while it was under way. */
  readonly #versions = new Map<string, number>();
  #invalidations = 0;
  readonly #known: Map<string, Known>;
  /** Somebody was given something else than what is known, and others have not been told. */
  readonly #strayed = new Set<string>();
  /** The hash of the last read that was completed, current or not. */
  readonly #lastRead = new Map<string, string>();

  constructor(options: MirrorOptions, known: ReadonlyMap<string, Known>) {
    this.#options = options;
    this.#known = new Map(known);
    this.#reads = new Reads((uri) => this.#read(uri));
  }

  /** For clients: from here while the server vouches for it and would tell, from the server otherwise. */
  async read(uri: string): Promise<ReadResourceResult> {
    const { clock, snapshots, isWatched, served } = this.#options;
    const kept = snapshots.get(this.#key(uri));
    const remaining = kept === undefined || kept.isStale ? 0 : kept.freshUntil - clock.now();
    if (kept?.result !== undefined && remaining > 0 && isWatched(uri)) {
      served(uri, kept.hash);
      return { ...kept.result, ttlMs: Math.floor(remaining) };
    }
    try {
      const reading = await this.#reads.fresh(uri);
      served(uri, reading.hash);
      if (reading.version === this.#versionOf(uri)) this.#see(uri, reading.hash);
      return reading.result;
    } catch (error) {
      served(uri, undefined);
      throw error;
    }
  }

  /** For the tracker. Rejects when the resource could not be read; that it is not there is an answer. */
  async look(uri: string): Promise<Look> {
    const version = this.#versionOf(uri);
    try {
      const reading = await this.#reads.fresh(uri);
      const { version: readVersion, hash, result, ttlMs } = reading;
      return { ...this.#find(uri, readVersion, hash), print: () => hash ?? fingerprint(result.contents), ttlMs };
    } catch (error) {
      if (!(error instanceof LiveError) || error.code !== 'RESOURCE_NOT_FOUND') throw error;
      return { ...this.#find(uri, version, absent), print: () => absent, ttlMs: undefined };
    }
  }

  /** The server says that this is not what it was. */
  invalidate(uri: string): void {
    this.#invalidations += 1;
    this.#versions.set(uri, this.#invalidations);
    this.#strayed.delete(uri);
    const kept = this.#options.snapshots.get(this.#key(uri));
    if (kept) kept.isStale = true;
    if (this.#known.get(uri) !== undefined) this.#learn(uri, null);
  }

  /** The server may have changed anything without our knowing. What is known stays, to compare with. */
  doubtAll(): void {
    for (const uri of this.#known.keys()) {
      const kept = this.#options.snapshots.get(this.#key(uri));
      if (kept) kept.freshUntil = Number.NEGATIVE_INFINITY;
    }
  }

  known(uri: string): Known {
    return this.#known.get(uri);
  }

  /** Whether it was followed before. */
  remembers(uri: string): boolean {
    return this.#known.has(uri);
  }

  get uris(): ReadonlySet<string> {
    return new Set(this.#known.keys());
  }

  /** How many contents are known. */
  get hashed(): number {
    return [...this.#known.values()].filter((known) => typeof known === 'string').length;
  }

  lastRead(uri: string): string | undefined {
    return this.#lastRead.get(uri);
  }

  snapshot(uri: string): Snapshot | undefined {
    return this.#options.snapshots.get(this.#key(uri));
  }

  /** Begins to follow a resource. Somebody may have read it before, and has what was served then. */
  follow(uri: string): void {
    if (!this.#known.has(uri)) this.#learn(uri, this.snapshot(uri)?.hash);
  }

  forget(uri: string): void {
    this.#known.delete(uri);
    this.#strayed.delete(uri);
    this.#lastRead.delete(uri);
    this.#versions.delete(uri);
    this.#options.snapshots.delete(this.#key(uri));
  }

  async #read(uri: string): Promise<Reading> {
    const { fetch, maxBytes } = this.#options;
    const version = this.#versionOf(uri);
    const result = await fetch(uri);
    const bytes = sizeOf(result.contents);
    const hash = bytes > maxBytes ? undefined : fingerprint(result.contents);
    const ttlMs = typeof result['ttlMs'] === 'number' ? result['ttlMs'] : undefined;
    if (hash !== undefined && this.#known.has(uri)) this.#lastRead.set(uri, hash);
    else this.#lastRead.delete(uri);
    const reading = { version, result, hash, ttlMs };
    if (version === this.#versionOf(uri)) this.#keep(uri, reading, bytes);
    return reading;
  }

  /** A look's finding is what is known from now on; whoever looks compares it with what was known before. */
  #find(uri: string, version: number, hash: string | undefined): Omit<Look, 'print' | 'ttlMs'> {
    const isCurrent = version === this.#versionOf(uri);
    if (isCurrent && this.#strayed.delete(uri)) this.#known.set(uri, null);
    const before = this.#known.get(uri);
    if (isCurrent && this.#known.has(uri)) this.#learn(uri, hash);
    return { isCurrent, before, hash };
  }

  /** A read for one client tells nobody else: what differs stays to be found by a look. */
  #see(uri: string, hash: string | undefined): void {
    const known = this.#known.get(uri);
    if (!this.#known.has(uri) || known === hash) return;
    if (typeof known !== 'string') return this.#learn(uri, hash);
    this.#strayed.add(uri);
    this.#options.learned(uri, null);
  }

  #keep(uri: string, { result, hash, ttlMs }: Reading, bytes: number): void {
    const { snapshots, clock } = this.#options;
    const isText = result.contents.every((each) => 'text' in each);
    snapshots.set(this.#key(uri), {
      result: isText && hash !== undefined ? result : undefined,
      mimeTypes: result.contents.map(({ mimeType }) => mimeType),
      bytes,
      hash,
      freshUntil: clock.now() + (ttlMs ?? 0),
      readAt: clock.date(),
      isStale: false,
    });
  }

  #learn(uri: string, known: Known): void {
    if (this.#known.has(uri) && this.#known.get(uri) === known) return;
    this.#known.set(uri, known);
    this.#options.learned(uri, known);
  }

  #versionOf(uri: string): number {
    return this.#versions.get(uri) ?? 0;
  }

  #key(uri: string): string {
    return `${this.#options.serverId} ${uri}`;
  }
}
