// Follows resources through the hub and believes what it is told: reads again only then. One file in subscribers/
// for each kind. What it holds is what the oracle compares with the truth.
export interface ChaosSubscriber extends AsyncDisposable {
  readonly kind: string;
  /** What it follows. */
  readonly uris: readonly string[];
  /** What it believes, by URI; nothing, where it believes that the resource is gone. */
  readonly held: ReadonlyMap<string, string | undefined>;
  /** How often it was told of each. */
  readonly told: ReadonlyMap<string, number>;
  /** Why the last reads failed, by URI, where they did. */
  readonly failures: ReadonlyMap<string, string>;
  /** Reads this again, told or not: it was found wrong, and is to be right in the next round. */
  correct(uri: string): void;
  /** The hub has ended and was started again. */
  hubReturned(): Promise<void>;
}

export type Shown = (uri: string, text: string) => string;

/** Reads again what it was told of, one read at a time per URI, and until it succeeds. */
class Holdings {
  readonly held = new Map<string, string | undefined>();
  readonly told = new Map<string, number>();
  readonly failures = new Map<string, string>();
  readonly #read: (uri: string) => Promise<string | undefined>;
  readonly #stale = new Set<string>();
  readonly #reading = new Set<string>();
  #isClosed = false;

  /** `read` resolves with nothing if there is no such resource. */
  constructor(read: (uri: string) => Promise<string | undefined>) {
    this.#read = read;
  }

  isTold(uri: string): void {
    this.told.set(uri, (this.told.get(uri) ?? 0) + 1);
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

  /** `shown` is what it keeps of a content, to be compared with the truth. */
  constructor(shown: Shown = (_, text) => text) {
    this.holdings = new Holdings(async (uri) => {
      const text = await this.read(uri);
      return text === undefined ? undefined : shown(uri, text);
    });
  }

  get held() {
    return this.holdings.held;
  }

  get told() {
    return this.holdings.told;
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
