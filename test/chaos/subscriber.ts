// Who follows resources through the hub and believes what it is told: reads again only then. One file in
// subscribers/ for each kind. What it holds is what the oracle compares with the truth.
export interface Subscriber extends AsyncDisposable {
  readonly kind: string;
  /** What it believes, by URI. */
  readonly held: ReadonlyMap<string, string>;
  /** How often it was told of each. */
  readonly told: ReadonlyMap<string, number>;
  /** The hub was started again: it comes back as its kind does. */
  returned(url: string): Promise<void>;
}

/** Reads again what it was told of, one read at a time per URI, and until it succeeds. */
export class Holdings {
  readonly held = new Map<string, string>();
  readonly told = new Map<string, number>();
  readonly #read: (uri: string) => Promise<string>;
  readonly #stale = new Set<string>();
  readonly #reading = new Set<string>();
  #isClosed = false;

  constructor(read: (uri: string) => Promise<string>) {
    this.#read = read;
  }

  isTold(uri: string): void {
    this.told.set(uri, (this.told.get(uri) ?? 0) + 1);
    this.doubt(uri);
  }

  doubt(uri: string): void {
    this.#stale.add(uri);
    void this.#work(uri);
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
      } catch {
        this.#stale.add(uri);
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
    this.#reading.delete(uri);
  }
}
