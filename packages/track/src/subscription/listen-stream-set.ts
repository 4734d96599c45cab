// The open listen streams of one session: which of them notifies a URI, and which are replaced and read only for a while.
//
// The work is bounded by what changed: an addition gets a stream of its own, which absorbs streams that are not
// much larger, and a stream is replaced once enough of its URIs are not wanted any more. So the number of URIs
// sent for n changes grows with n (times a logarithm), whatever their batches.
import type { McpSubscription } from '@modelcontextprotocol/client';
import type { Clock, Timer } from '@tidings/live';

/** A new stream absorbs those with up to this many times its URIs. */
const mergeFactor = 8;
/** A stream is replaced when its wanted URIs are at most this many times its unwanted ones. */
const replaceFactor = 16;
/** A server may delay notifications, and sent ones may still be in transit. */
const lingerMs = 3000;
/** If lists change all the time, the oldest are closed sooner. */
const mostLingering = 16;

export interface OpenListenStream {
  isEnded: boolean;
  /** The URIs of the stream that are wanted. */
  uris: Set<string>;
  /** The URIs of the stream that a later stream has taken over. */
  handedOver: Set<string>;
  /** The number of its URIs that are not wanted any more. */
  unwanted: number;
  subscription: Pick<McpSubscription, 'close'>;
}

export class ListenStreamSet {
  /** The URIs of streams in use. */
  readonly active = new Set<string>();
  readonly #clock: Clock;
  readonly #inUse = new Set<OpenListenStream>();
  readonly #streamOf = new Map<string, OpenListenStream>();
  /** Replaced, and still read. */
  readonly #lingering = new Map<OpenListenStream, Timer>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many are in use. */
  get size(): number {
    return this.#inUse.size;
  }

  use(stream: OpenListenStream): void {
    // A stream may have ended while the others were being opened.
    if (stream.isEnded) return;
    this.#inUse.add(stream);
    for (const uri of stream.uris) {
      const before = this.#streamOf.get(uri);
      if (before?.uris.delete(uri)) {
        before.unwanted += 1;
        before.handedOver.add(uri);
      }
      this.#streamOf.set(uri, stream);
      this.active.add(uri);
    }
  }

  release(uri: string): void {
    const stream = this.#streamOf.get(uri);
    if (stream === undefined) return;
    this.#streamOf.delete(uri);
    this.active.delete(uri);
    stream.uris.delete(uri);
    stream.unwanted += 1;
  }

  /** The streams, smallest first, that a stream with this many URIs should replace; it must have fewer than `limit`. */
  replaceable(added: number, limit: number): OpenListenStream[] {
    const isWasteful = ({ uris, unwanted }: OpenListenStream) => unwanted > 0 && uris.size <= unwanted * replaceFactor;
    const bySize = [...this.#inUse].toSorted((one, other) => one.uris.size - other.uris.size);
    let size = added;
    return bySize.filter((stream) => {
      const isMerged = size > 0 && stream.uris.size <= size * mergeFactor && size + stream.uris.size < limit;
      if (!isMerged && !isWasteful(stream)) return false;
      size += stream.uris.size;
      return true;
    });
  }

  /** Others have taken over its URIs. It is read a little longer. */
  replace(stream: OpenListenStream): void {
    this.#drop(stream);
    if (stream.isEnded) return;
    this.#lingering.set(
      stream,
      this.#clock.after(lingerMs, () => this.#forget(stream)),
    );
    for (const oldest of this.#lingering.keys()) {
      if (this.#lingering.size <= mostLingering) return;
      this.#forget(oldest);
    }
  }

  /** Returns whether there were any. */
  closeReplaced(): boolean {
    const hadAny = this.#lingering.size > 0;
    for (const stream of this.#lingering.keys()) this.#forget(stream);
    return hadAny;
  }

  /** The server has ended it. Returns whether it had not been replaced. */
  end(stream: OpenListenStream): boolean {
    stream.isEnded = true;
    if (this.#lingering.has(stream)) {
      this.#forget(stream);
      return false;
    }
    this.#drop(stream);
    return true;
  }

  close(): void {
    for (const { subscription } of this.#inUse) void subscription.close();
    this.#inUse.clear();
    this.#streamOf.clear();
    this.active.clear();
    this.closeReplaced();
  }

  /** URIs that no other stream has taken over are not active any more. */
  #drop(stream: OpenListenStream): void {
    this.#inUse.delete(stream);
    for (const uri of stream.uris) {
      this.#streamOf.delete(uri);
      this.active.delete(uri);
    }
  }

  #forget(stream: OpenListenStream): void {
    this.#lingering.get(stream)?.cancel();
    this.#lingering.delete(stream);
    void stream.subscription.close();
  }
}
