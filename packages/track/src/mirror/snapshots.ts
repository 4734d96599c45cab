// The latest contents read from all servers, up to a number of bytes; the least recently used are dropped.
import type { ReadResourceResult } from '@modelcontextprotocol/client';

/** The known content of a resource. */
export interface Snapshot {
  /** Undefined if the content was binary or too large: then only this summary is kept. */
  result: ReadResourceResult | undefined;
  mimeTypes: readonly (string | undefined)[];
  bytes: number;
  /** The size of the snapshot in memory. */
  memory: number;
  hash: string | undefined;
  /** When the server's ttlMs ends, on the monotonic clock. */
  freshUntil: number;
  /** Milliseconds since the epoch. */
  readAt: number;
  /** A change has been notified since. */
  isStale: boolean;
}

export class Snapshots {
  readonly #limit: number;
  readonly #entries = new Map<string, Snapshot>();
  #bytes = 0;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Snapshot | undefined {
    const found = this.#entries.get(key);
    if (found === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, found);
    return found;
  }

  set(key: string, snapshot: Snapshot): void {
    this.delete(key);
    this.#entries.set(key, snapshot);
    this.#bytes += weightOf(key, snapshot);
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#limit) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const old = this.#entries.get(key);
    if (old === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= weightOf(key, old);
  }
}

function weightOf(key: string, { memory }: Snapshot): number {
  return 500 + key.length * 2 + memory;
}
