// Tools or prompts by name. Open connections follow the registry, so additions and removals take effect on them.
import type { Registration } from './registration.ts';

type Register<D> = (name: string, definition: D) => () => void;

export class Registry<D> {
  readonly #definitions = new Map<string, D>();
  /** For each follower, the functions that remove what it registered. */
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

  /** Registers all definitions, and those added later, until the returned function is called. */
  follow(register: Register<D>): () => void {
    const given = new Map<string, () => void>();
    for (const [name, definition] of this.#definitions) given.set(name, register(name, definition));
    this.#followers.set(register, given);
    return () => this.#followers.delete(register);
  }

  #remove(name: string, definition: D): void {
    // The name may belong to a newer definition by now.
    if (this.#definitions.get(name) !== definition) return;
    this.#definitions.delete(name);
    for (const given of this.#followers.values()) {
      given.get(name)?.();
      given.delete(name);
    }
    this.#onChange();
  }
}
