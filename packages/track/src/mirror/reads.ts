// One read at a time per URI. A caller that arrives during a read gets the next one, which begins after it
// arrived: the read in progress may return a content that is older than what the caller knows of.

export class Reads<T> {
  readonly #read: (uri: string) => Promise<T>;
  readonly #running = new Map<string, { current: Promise<unknown>; next: Promise<T> | undefined }>();

  constructor(read: (uri: string) => Promise<T>) {
    this.#read = read;
  }

  /** The result of a read that begins now or later. */
  fresh(uri: string): Promise<T> {
    const running = this.#running.get(uri);
    if (running === undefined) return this.#start(uri);
    running.next ??= running.current.then(() => this.#start(uri));
    return running.next;
  }

  #start(uri: string): Promise<T> {
    const reading = this.#read(uri);
    const entry = { current: reading.catch(() => undefined), next: undefined as Promise<T> | undefined };
    this.#running.set(uri, entry);
    void entry.current.then(() => {
      // The next read replaces this entry.
      if (entry.next === undefined) this.#running.delete(uri);
    });
    return reading;
  }
}
