// The last contents of each followed resource, so that a person can see earlier changes. Bounded per resource and in
// total; of the resource that changed longest ago, the oldest versions are dropped first.
import type { ReadResourceResult } from '@modelcontextprotocol/client';

/** One content that a resource had. */
export interface Version {
  /** Grows with each version of a resource. */
  readonly number: number;
  /** When it was first read, in milliseconds since the epoch. */
  readonly readAt: number;
  readonly hash: string;
  readonly bytes: number;
  /** The size of the version in memory. */
  readonly memory: number;
  readonly contents: ReadResourceResult['contents'];
}

export interface VersionBounds {
  /** The number of versions of one resource. */
  count: number;
  /** The size of all versions together. */
  bytes: number;
}

/**
 * The share of `bytes` that one content, and all versions of one resource, may take. More would push out those of many
 * others.
 */
const largestShare = 1 / 4;
const shareOfResource = 1 / 2;

export class Versions {
  #bounds: VersionBounds;
  /** In the order of their last change, the latest last. */
  readonly #kept = new Map<string, Version[]>();
  #bytes = 0;

  constructor(bounds: VersionBounds) {
    this.#bounds = bounds;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether a content that takes this much memory is kept. */
  takes(memory: number): boolean {
    return this.#bounds.count > 0 && weightOf({ memory }) <= this.#bounds.bytes * largestShare;
  }

  /** The oldest first. */
  of(key: string): readonly Version[] {
    return this.#kept.get(key) ?? [];
  }

  /** A content that equals the last version is not a new version. */
  add(key: string, content: Omit<Version, 'number'>): void {
    const kept = this.#kept.get(key) ?? [];
    const last = kept.at(-1);
    if (last?.hash === content.hash || !this.takes(content.memory)) return;
    kept.push({ number: (last?.number ?? 0) + 1, ...content });
    this.#bytes += weightOf(content);
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    this.#trim(kept);
  }

  delete(key: string): void {
    for (const version of this.of(key)) this.#bytes -= weightOf(version);
    this.#kept.delete(key);
  }

  /** Changes the bounds, with effect at once. */
  bound(bounds: VersionBounds): void {
    this.#bounds = bounds;
    for (const kept of this.#kept.values()) this.#trim(kept);
  }

  #trim(kept: Version[]): void {
    const { count, bytes } = this.#bounds;
    while (kept.length > count || bytesOf(kept) > bytes * shareOfResource) this.#drop(kept);
    for (const [key, oldest] of this.#kept) {
      while (this.#bytes > this.#bounds.bytes && oldest.length > 0) this.#drop(oldest);
      if (oldest.length === 0) this.#kept.delete(key);
      if (this.#bytes <= this.#bounds.bytes) return;
    }
  }

  #drop(kept: Version[]): void {
    const dropped = kept.shift();
    if (dropped !== undefined) this.#bytes -= weightOf(dropped);
  }
}

function bytesOf(versions: readonly Version[]): number {
  return versions.reduce((sum, version) => sum + weightOf(version), 0);
}

function weightOf({ memory }: Pick<Version, 'memory'>): number {
  return 500 + memory;
}
