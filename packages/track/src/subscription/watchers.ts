// The watchers of a server's resources, by URI. The first watcher of a URI makes it wanted, until the last leaves.
import type { Log } from '@tidings/live';
import { callEach } from '../base/log.ts';
import { Spellings } from './spellings.ts';

export type Watcher = (uri: string) => void;

export class Watchers {
  readonly #watchers = new Map<string, Set<Watcher>>();
  readonly #spellings = new Spellings();
  readonly #followers = new Set<(uri: string) => void>();
  readonly #log: Log;

  /** `log` gets the errors that watchers throw. */
  constructor(log: Log) {
    this.#log = log;
  }

  get uris(): Iterable<string> {
    return this.#watchers.keys();
  }

  has(uri: string): boolean {
    return this.#watchers.has(uri);
  }

  /** Returns a function that removes the watcher, which may be called twice. */
  add(uri: string, watcher: Watcher): () => void {
    const known = this.#watchers.get(uri);
    const watchers = known ?? new Set();
    // The same function may watch twice.
    const own: Watcher = (changed) => watcher(changed);
    watchers.add(own);
    this.#watchers.set(uri, watchers);
    this.#spellings.add(uri);
    if (known === undefined) callEach(this.#followers, this.#log, uri);
    return () => {
      watchers.delete(own);
      if (watchers.size > 0 || this.#watchers.get(uri) !== watchers) return;
      this.#watchers.delete(uri);
      this.#spellings.delete(uri);
      callEach(this.#followers, this.#log, uri);
    };
  }

  /** Calls `follower` when a URI gets its first watcher or loses its last. Returns a function that stops this. */
  follow(follower: (uri: string) => void): () => void {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  /** The watched URI that agents are shown as `plain`, if it is a different one. */
  spelling(plain: string): string | undefined {
    return this.#watchers.has(plain) ? undefined : this.#spellings.find(plain);
  }

  tell(uri: string): void {
    callEach(this.#watchers.get(uri) ?? [], this.#log, uri);
  }
}
