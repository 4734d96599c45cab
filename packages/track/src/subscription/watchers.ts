// Who watches which resource of a server: the first one makes it wanted, the last one to leave ends that.

import type { Log } from '@tidings/live';
import { tellEach } from '../base/log.ts';
import { Spellings } from './spellings.ts';

export type Watcher = (uri: string) => void;

export class Watchers {
  readonly #watchers = new Map<string, Set<Watcher>>();
  readonly #spellings = new Spellings();

  get uris(): Iterable<string> {
    return this.#watchers.keys();
  }

  has(uri: string): boolean {
    return this.#watchers.has(uri);
  }

  /** Returns how to leave; leaving twice is leaving once. */
  add(uri: string, watcher: Watcher): () => void {
    const watchers = this.#watchers.get(uri) ?? new Set();
    // The same function may watch twice.
    const own: Watcher = (changed) => watcher(changed);
    watchers.add(own);
    this.#watchers.set(uri, watchers);
    this.#spellings.add(uri);
    return () => {
      watchers.delete(own);
      if (watchers.size > 0 || this.#watchers.get(uri) !== watchers) return;
      this.#watchers.delete(uri);
      this.#spellings.delete(uri);
    };
  }

  /** The URI that is watched and that agents are shown as `plain`, where that is another one. */
  spelling(plain: string): string | undefined {
    return this.#watchers.has(plain) ? undefined : this.#spellings.find(plain);
  }

  tell(uri: string, log: Log): void {
    tellEach(this.#watchers.get(uri) ?? [], log, uri);
  }
}
