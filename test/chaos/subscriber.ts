// Follows resources through the hub and reads a resource again only after a notification. The oracle compares its state
// with the servers' state. subscribers/ has one file per kind.
export interface ChaosSubscriber extends AsyncDisposable {
  readonly kind: string;
  /** The URIs that it follows. */
  readonly uris: readonly string[];
  /** The content it read last, by URI; undefined if the resource was not found. */
  readonly held: ReadonlyMap<string, string | undefined>;
  /** The number of notifications by URI. */
  readonly notified: ReadonlyMap<string, number>;
  /** Errors of the last reads, by URI. */
  readonly failures: ReadonlyMap<string, string>;
  /** Reads the resource again without a notification: it was found wrong and should be right in the next round. */
  correct(uri: string): void;
  /** Called after the hub has ended and was started again. */
  hubReturned(): Promise<void>;
}

export type Shown = (uri: string, text: string) => string;

/** Reads resources again after notifications, one read at a time per URI, and until a read succeeds. */
class Holdings {
  readonly held = new Map<string, string | undefined>();
  readonly notified = new Map<string, number>();
  readonly failures = new Map<string, string>();
  readonly #read: (uri: string) => Promise<string | undefined>;
  readonly #stale = new Set<string>();
  readonly #reading = new Set<string>();
  #isClosed = false;

  /** `read` resolves with undefined if there is no such resource. */
  constructor(read: (uri: string) => Promise<string | undefined>) {
    this.#read = read;
  }

  isNotified(uri: string): void {
    this.notified.set(uri, (this.notified.get(uri) ?? 0) + 1);
    this.doubt([uri]);
  }

  doubt(uris: readonly string[]): void {
    for (const uri of uris) {
      this.#stale.add(uri);
      void this.#work(uri);
    }
  }

  close(): void {
    this.#isClosed = true;
  }

  async #work(uri: string): Promise<void> {
    if (this.#reading.has(uri)) return;
    this.#reading.add(uri);
    while (this.#stale.delete(uri) && !this.#isClosed) {
      try {
        this.held.set(uri, await this.#read(uri));
        this.failures.delete(uri);
      } catch (error) {
        this.failures.set(uri, String(error).slice(0, 200));
        this.#stale.add(uri);
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
    this.#reading.delete(uri);
  }
}

/** A subscriber whose state is its holdings. */
export abstract class HoldingSubscriber implements ChaosSubscriber {
  abstract readonly kind: string;
  abstract readonly uris: readonly string[];
  protected readonly holdings: Holdings;

  /** `shown` extracts the part of a content that is compared. */
  constructor(shown: Shown = (_, text) => text) {
    this.holdings = new Holdings(async (uri) => {
      const text = await this.read(uri);
      return text === undefined ? undefined : shown(uri, text);
    });
  }

  get held() {
    return this.holdings.held;
  }

  get notified() {
    return this.holdings.notified;
  }

  get failures() {
    return this.holdings.failures;
  }

  correct(uri: string): void {
    this.holdings.doubt([uri]);
  }

  abstract hubReturned(): Promise<void>;
  abstract [Symbol.asyncDispose](): Promise<void>;
  protected abstract read(uri: string): Promise<string | undefined>;
}
