// One read at a time per URI. Whoever comes while one is under way gets the next one, which begins after
// they came: the one under way may have been answered before what they know of.

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
      // The next one puts itself in this place.
      if (entry.next === undefined) this.#running.delete(uri);
    });
    return reading;
  }
}
