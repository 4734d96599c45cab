// Whether a peer takes what is written to it. Node counts a write as waiting until all of it has left, and joins the
// writes that wait into one: of 24 MB, a slow reader may take 23 before that number changes. What the system has not
// taken of the write in progress is known by the socket's handle, where Node's own timeouts look.
import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';

/** Bytes that wait, as several counters: some that were waiting have left if one of them has become smaller. */
export type QueuedBytes = readonly number[];

export class SendProgress {
  #before: QueuedBytes = [];

  /** Whether some bytes have left since the last look; true for the first. */
  look(now: QueuedBytes): boolean {
    const before = this.#before;
    this.#before = now;
    return before.length === 0 || now.some((count, n) => count < (before[n] ?? 0));
  }

  /** The next check counts as the first. */
  restart(): void {
    this.#before = [];
  }
}

/** `wire`: the stream that counts the waiting bytes; in HTTP/2 not the response, but the stream behind it. */
export function waitingBytes(res: ServerResponse, wire: Writable = res): QueuedBytes {
  const handle: unknown = wire === res && res.socket ? Reflect.get(res.socket, '_handle') : undefined;
  const hasQueue = typeof handle === 'object' && handle !== null && 'writeQueueSize' in handle;
  const queue = hasQueue && typeof handle.writeQueueSize === 'number' ? handle.writeQueueSize : 0;
  return [wire.writableLength, queue];
}
