// The latest contents that were read, of all servers, within a number of bytes: the least recently used
// make room.
import type { ReadResourceResult } from '@modelcontextprotocol/client';

export interface Snapshot {
  /** Without it, the content was binary or too large: then only this summary is kept. */
  result: ReadResourceResult | undefined;
  mimeTypes: readonly (string | undefined)[];
  bytes: number;
  hash: string | undefined;
  /** Until when the server vouches for it, on the clock that only goes forward. */
  freshUntil: number;
  /** Milliseconds since the epoch. */
  readAt: number;
  /** The server has said since that it is not what it was. */
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
    this.#bytes += weightOf(snapshot);
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#limit) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const old = this.#entries.get(key);
    if (old === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= weightOf(old);
  }
}

function weightOf({ result, bytes }: Snapshot): number {
  return 500 + (result === undefined ? 0 : bytes * 2);
}
