// Tools or prompts by name. Connections follow it, so that additions and removals take effect on open connections.
import type { Registration } from './registration.ts';

type Register<D> = (name: string, definition: D) => () => void;

export class Registry<D> {
  readonly #definitions = new Map<string, D>();
  /** Each follower, with the functions that remove what it was given. */
  readonly #followers = new Map<Register<D>, Map<string, () => void>>();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get size(): number {
    return this.#definitions.size;
  }

  get(name: string): D | undefined {
    return this.#definitions.get(name);
  }

  entries(): Iterable<[string, D]> {
    return this.#definitions.entries();
  }

  values(): Iterable<D> {
    return this.#definitions.values();
  }

  add(name: string, definition: D): Registration {
    if (this.#definitions.has(name)) throw new TypeError(`"${name}" is defined twice.`);
    this.#definitions.set(name, definition);
    for (const [register, given] of this.#followers) given.set(name, register(name, definition));
    this.#onChange();
    return { remove: () => this.#remove(name, definition) };
  }

  /** Registers everything there is, and what comes later, until the returned function is called. */
  follow(register: Register<D>): () => void {
    const given = new Map<string, () => void>();
    for (const [name, definition] of this.#definitions) given.set(name, register(name, definition));
    this.#followers.set(register, given);
    return () => this.#followers.delete(register);
  }

  #remove(name: string, definition: D): void {
    // Its name may have been given to another meanwhile.
    if (this.#definitions.get(name) !== definition) return;
    this.#definitions.delete(name);
    for (const given of this.#followers.values()) {
      given.get(name)?.();
      given.delete(name);
    }
    this.#onChange();
  }
}
