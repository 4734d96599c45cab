// The wanted URIs of one server, and which of them a notification concerns. Exactly these are followed.
import { onlyInFirst } from '../../subscription/only-in-first.ts';
import { NotifiedUris } from '../../subscription/notified-uris.ts';
import { WantedUris, type WantedChange, type WantedSources } from '../../subscription/wanted-uris.ts';
import type { FollowedResources } from './followed-resources.ts';

export class WantedResources {
  readonly #wanted = new WantedUris();
  readonly #notified = new NotifiedUris((uri) => this.#wanted.uris.has(uri));
  readonly #followed: FollowedResources;

  constructor(followed: FollowedResources) {
    this.#followed = followed;
  }

  get uris(): ReadonlySet<string> {
    return this.#wanted.uris;
  }

  /** The wanted resources that a notification with this URI concerns. */
  concernedBy(uri: string): string[] {
    return this.#notified.find(uri);
  }

  /** Call it when this URI may have become wanted or unwanted. */
  touch(uri: string): void {
    this.#wanted.touch(uri);
  }

  /** Call it when any URI may have become wanted or unwanted, or the last run was not completed. */
  touchAll(): void {
    this.#wanted.touchAll();
  }

  /**
   * Compares with the sources, follows new URIs and leaves those that are not wanted any more. Call it before
   * subscribing: an update may arrive before the answer.
   */
  update(sources: WantedSources): WantedChange & { forgotten: readonly string[] } {
    const change = this.#wanted.update(sources);
    const { added, removed, isWhole } = change;
    const { uris } = this.#wanted;
    // A whole comparison includes resources that were followed when the tracker last ran.
    const forgotten = isWhole ? onlyInFirst(this.#followed.uris, uris) : removed;
    for (const uri of forgotten) this.#followed.leave(uri);
    for (const uri of removed) this.#notified.delete(uri);
    for (const uri of added) this.#notified.add(uri);
    for (const uri of isWhole ? uris : added) this.#followed.follow(uri);
    return { ...change, forgotten };
  }
}
