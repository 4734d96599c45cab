// Updates of one resource within two seconds of each other. The first goes out at once. If more follow,
// the resource is read again at the end of the window, and a second event is withheld only if that can
// have been a repetition: SPEC.md has the rule word by word.
import type { Clock, Timer } from '@tidings/live';

export interface UpdateWindowOptions {
  clock: Clock;
  windowMs: number;
  /** The hash of the last read of it that was completed before now. */
  lastRead(this: void, uri: string): string | undefined;
  /** Reads it again; nothing where it could not be read, or changed meanwhile. Never rejects. */
  lookAgain(this: void, uri: string): Promise<string | undefined>;
  announce(this: void, uri: string, update: DueUpdate): void;
  /** A second event was withheld: the resource is what it was, namely this. */
  withheld(this: void, uri: string, hash: string): void;
}

export interface DueUpdate {
  /** When the notification came that this tells of, on the clock that only goes forward. */
  receivedAt: number;
  isTrailing: boolean;
  /** What the resource was found to be just before, if it was. */
  hash: string | undefined;
}

interface Second {
  receivedAt: number;
  /** The hash of the last read that was completed before it came. */
  readBefore: string | undefined;
  /** It was not notified but found: that it is another is certain, and no read before can tell otherwise. */
  isFound: boolean;
}

interface Window {
  timer: Timer;
  notifications: number;
  second: Second | undefined;
  /** Hashes that readers were given since the first event; `undefined` stands for one that is not known. */
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

  /** An update was received. Says whether it was announced at once. */
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

  /** A look found it to be another than was announced. Says whether that was announced at once. */
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

  /** Announces at once what was to be announced at the ends of windows. */
  flush(): void {
    for (const [uri, { second }] of this.#windows) {
      this.forget(uri);
      if (second) this.#options.announce(uri, { receivedAt: second.receivedAt, isTrailing: true, hash: undefined });
    }
  }

  /** A reader was given this content. */
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
    const found = await this.#options.lookAgain(uri);
    // It was forgotten meanwhile.
    if (this.#windows.get(uri) !== window) return;
    this.#windows.delete(uri);
    const { second } = window;
    // One that came during the look, or right after it, may be about what the look has not seen.
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
