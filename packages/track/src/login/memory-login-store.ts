// Keeps logins in memory, until the process ends: logins of machines, which can log in again without a person, and
// those of a tracker that stores nothing.
import type { LoginChange, LoginStore } from './login-store.ts';
import type { StoredLogin } from './stored-login.ts';

export class MemoryLoginStore implements LoginStore {
  readonly #logins = new Map<string, StoredLogin>();
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #listeners = new Map<string, Set<() => void>>();

  async read(key: string): Promise<StoredLogin | undefined> {
    return this.#logins.get(key);
  }

  async has(key: string): Promise<boolean> {
    return this.#logins.has(key);
  }

  edit(key: string, change: LoginChange): Promise<StoredLogin | undefined> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const edited = before.then(async () => {
      const after = await change(this.#logins.get(key));
      if (after) this.#logins.set(key, after);
      else this.#logins.delete(key);
      for (const listener of this.#listeners.get(key) ?? []) listener();
      return after;
    });
    this.#last.set(
      key,
      edited.catch(() => undefined),
    );
    return edited;
  }

  follow(key: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners.add(listener));
    return () => void listeners.delete(listener);
  }
}
