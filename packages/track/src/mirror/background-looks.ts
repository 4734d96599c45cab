// Looks that nobody waits for: a few at a time, and each resource at most once in line.

export class BackgroundLooks {
  readonly #look: (uri: string) => Promise<unknown>;
  readonly #atOnce: number;
  readonly #waiting = new Set<string>();
  #running = 0;

  constructor(look: (uri: string) => Promise<unknown>, atOnce: number) {
    this.#look = look;
    this.#atOnce = atOnce;
  }

  request(uri: string): void {
    this.#waiting.add(uri);
    if (this.#running < this.#atOnce) void this.#work();
  }

  clear(): void {
    this.#waiting.clear();
  }

  async #work(): Promise<void> {
    this.#running += 1;
    for (const uri of this.#waiting) {
      this.#waiting.delete(uri);
      await this.#look(uri).catch(() => undefined);
    }
    this.#running -= 1;
  }
}
