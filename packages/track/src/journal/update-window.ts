// Merges updates of one resource within two seconds. The first is announced at once. If more follow, the
// resource is read again at the end of the window, and a second event is withheld only if it must be a
// repetition: SPEC.md has the exact rule.
import type { Clock, Timer } from '@tidings/live';
import { endsWithin } from '@tidings/live/time';

/** How long an event waits for a read: the server may not answer, and listeners hold old content meanwhile. */
const longestReadMs = 1000;

interface UpdateWindowOptions {
  clock: Clock;
  windowMs: number;
  /** The hash of the last read that was completed before now. */
  lastRead(this: void, uri: string): string | undefined;
  /** Reads it again; undefined if it could not be read, or changed during the read. Never rejects. */
  readAgain(this: void, uri: string): Promise<string | undefined>;
  announce(this: void, uri: string, update: DueUpdate): void;
  /** A second event was withheld: the content still has this hash. */
  withheld(this: void, uri: string, hash: string): void;
}

export interface DueUpdate {
  /** When the notification arrived, on the monotonic clock. */
  receivedAt: number;
  isTrailing: boolean;
  /** The hash of a read just before, if there was one. */
  hash: string | undefined;
}

interface SecondUpdate {
  receivedAt: number;
  /** The hash of the last read that was completed before it arrived. */
  readBefore: string | undefined;
  /** Found by a read, not notified: the content has changed for certain, so the event is never withheld. */
  isFound: boolean;
}

interface Window {
  timer: Timer;
  notifications: number;
  second: SecondUpdate | undefined;
  /** Hashes that clients were given since the first event; `undefined` for an unknown content. */
  served: Set<string | undefined>;
}

export class UpdateWindows {
  readonly #options: UpdateWindowOptions;
  readonly #windows = new Map<string, Window>();

  constructor(options: UpdateWindowOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#windows.size;
  }

  /** A notification arrived. Returns whether it was announced at once. */
  notified(uri: string, receivedAt: number): boolean {
    const window = this.#windows.get(uri);
    if (window === undefined) {
      this.#announce(uri, { receivedAt, isTrailing: false, hash: undefined });
      return true;
    }
    window.notifications += 1;
    window.second ??= { receivedAt, readBefore: this.#options.lastRead(uri), isFound: false };
    return false;
  }

  /** A read found another content than was announced. Returns whether that was announced at once. */
  found(uri: string, receivedAt: number, hash: string | undefined): boolean {
    const window = this.#windows.get(uri);
    if (window === undefined) {
      this.#announce(uri, { receivedAt, isTrailing: false, hash });
      return true;
    }
    window.notifications += 1;
    window.second = { receivedAt: window.second?.receivedAt ?? receivedAt, readBefore: undefined, isFound: true };
    return false;
  }

  /** Announces pending updates at once instead of at the ends of their windows. */
  flush(): void {
    for (const [uri, { second }] of this.#windows) {
      this.forget(uri);
      if (second) this.#options.announce(uri, { receivedAt: second.receivedAt, isTrailing: true, hash: undefined });
    }
  }

  /** A client was given this content. */
  served(uri: string, hash: string | undefined): void {
    this.#windows.get(uri)?.served.add(hash);
  }

  forget(uri: string): void {
    this.#windows.get(uri)?.timer.cancel();
    this.#windows.delete(uri);
  }

  #announce(uri: string, update: DueUpdate): void {
    const { clock, windowMs, announce } = this.#options;
    const timer = clock.after(windowMs, () => void this.#close(uri, window));
    const window: Window = { timer, notifications: 1, second: undefined, served: new Set() };
    this.#windows.set(uri, window);
    announce(uri, update);
  }

  async #close(uri: string, window: Window): Promise<void> {
    const { notifications } = window;
    if (window.second === undefined) {
      this.#windows.delete(uri);
      return;
    }
    const { clock, readAgain } = this.#options;
    const read = readAgain(uri);
    const found = (await endsWithin(clock, longestReadMs, read)) ? await read : undefined;
    // The window was removed during the read.
    if (this.#windows.get(uri) !== window) return;
    this.#windows.delete(uri);
    const { second } = window;
    // A notification during the read, or right after it, may be about a change that the read did not see.
    const hash = window.notifications === notifications ? found : undefined;
    const isRepetition =
      hash !== undefined &&
      !second.isFound &&
      second.readBefore === hash &&
      [...window.served].every((given) => given === hash);
    if (isRepetition) this.#options.withheld(uri, hash);
    else this.#announce(uri, { receivedAt: second.receivedAt, isTrailing: true, hash });
  }
}
