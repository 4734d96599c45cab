// One read at a time per URI. A caller that arrives during a read gets the next one, which begins after it arrived: the
// read in progress may return a content older than what the caller knows of. A read is cancelled when all its callers
// have left.
import { onAbort } from '@tidings/live/time';

interface Running<T> {
  /** Resolves when the current read has ended. */
  ended: Promise<unknown>;
  next: { readers: Readers; reading: Promise<T> } | undefined;
}

export class Reads<T> {
  readonly #read: (uri: string, signal: AbortSignal | undefined) => Promise<T>;
  readonly #running = new Map<string, Running<T>>();

  /** `read` is called without a signal if it will not be cancelled. */
  constructor(read: (uri: string, signal: AbortSignal | undefined) => Promise<T>) {
    this.#read = read;
  }

  /** The result of a read that begins now or later. `signal`: aborted if the caller leaves. */
  fresh(uri: string, signal?: AbortSignal): Promise<T> {
    const running = this.#running.get(uri);
    if (running === undefined) {
      const readers = new Readers();
      readers.add(signal);
      return this.#start(uri, readers);
    }
    if (running.next === undefined) {
      const readers = new Readers();
      running.next = { readers, reading: running.ended.then(() => this.#start(uri, readers)) };
    }
    running.next.readers.add(signal);
    return running.next.reading;
  }

  #start(uri: string, readers: Readers): Promise<T> {
    const { signal } = readers;
    const reading = signal?.aborted ? Promise.reject(signal.reason) : this.#read(uri, signal);
    const entry: Running<T> = { ended: reading.catch(() => undefined), next: undefined };
    this.#running.set(uri, entry);
    void entry.ended.then(() => {
      // The next read replaces this entry.
      if (entry.next === undefined) this.#running.delete(uri);
    });
    return reading;
  }
}

/** The callers that wait for one read. */
class Readers {
  readonly #signals: AbortSignal[] = [];
  #canLeave = true;

  /** A caller without a signal never leaves. */
  add(signal: AbortSignal | undefined): void {
    if (signal) this.#signals.push(signal);
    else this.#canLeave = false;
  }

  /** Aborted when all have left; undefined if one never leaves. Most reads need no signal of their own. */
  get signal(): AbortSignal | undefined {
    if (!this.#canLeave) return undefined;
    const [only, ...others] = this.#signals;
    return others.length === 0 ? only : whenAllAborted(this.#signals);
  }
}

function whenAllAborted(signals: readonly AbortSignal[]): AbortSignal {
  const leaving = new AbortController();
  let staying = signals.length;
  for (const signal of signals) {
    onAbort(signal, (reason) => {
      staying -= 1;
      if (staying === 0) leaving.abort(reason);
    });
  }
  return leaving.signal;
}
