// Handles a new list of resources: resources that left or returned are treated as changed, and the journal and other
// listeners are notified of the new list.
import type { CatalogKeeper } from '../../subscription/catalog/catalog-keeper.ts';
import type { MissedListChanges } from '../../subscription/catalog/missed-list-changes.ts';
import type { Subscriptions } from '../../subscription/subscriptions.ts';
import type { WantedUris } from '../../subscription/wanted-uris.ts';
import type { JournalRecorder } from '../../journal/journal-recorder.ts';
import type { FollowedResources } from './followed-resources.ts';

interface ListChangeReportsDeps {
  serverId: string;
  catalog: CatalogKeeper;
  missedChanges: MissedListChanges;
  wanted: WantedUris;
  followed: FollowedResources;
  recorder: JournalRecorder;
  /** The list of resources has changed, and the new one is known. */
  listChanged(this: void): void;
}

export class ListChangeReports {
  readonly #deps: ListChangeReportsDeps;
  /** The list has changed, and listeners were not notified yet. */
  #isChanged = false;
  /** The list was read, and not yet compared with the followed resources. */
  #isRead = false;
  /** Tracking was resumed, and the journal does not contain that yet. */
  #isResumed = false;

  constructor(deps: ListChangeReportsDeps) {
    this.#deps = deps;
  }

  /** The list was read again. */
  read(outcome: 'same' | 'other'): void {
    this.#isRead = true;
    if (outcome === 'other') this.#isChanged = true;
  }

  resume(): void {
    this.#isResumed = true;
  }

  /** Call it before subscribing. Servers often drop the subscriptions of a resource that was missing for a while. */
  compare(subscriptions: Subscriptions): void {
    const { followed, missedChanges } = this.#deps;
    const added = this.#isRead ? this.#compareLists(subscriptions) : [];
    // A resource that is followed for the first time is not subscribed to yet.
    const returned = [...this.#spelled(added), ...missedChanges.take()].filter((uri) => subscriptions.active.has(uri));
    for (const uri of returned) followed.doubt(uri);
    subscriptions.renew(returned);
  }

  /** Call it after subscribing, so that a listener that then reads a new resource is notified of every later change. */
  tell(isTracked: boolean): void {
    const { catalog, followed, listChanged, recorder, serverId } = this.#deps;
    if (isTracked) {
      const change = catalog.takeChange();
      if (change) recorder.append({ type: 'list_changed', serverId, ...change });
      if (this.#isChanged || this.#isResumed) {
        followed.listed(catalog.catalog.resources.keys(), change?.removed ?? []);
      }
      if (this.#isResumed) followed.resume();
      this.#isResumed = false;
    }
    if (this.#isChanged) listChanged();
    this.#isChanged = false;
  }

  /** Returns the URIs that were not in the last list. */
  #compareLists({ active }: Subscriptions): readonly string[] {
    this.#isRead = false;
    const { catalog, followed, missedChanges } = this.#deps;
    const change = catalog.takeDifference();
    const listed = catalog.catalog.resources;
    for (const uri of this.#spelled(change?.removed ?? [])) if (!listed.has(uri)) followed.vanished(uri);
    missedChanges.read(change !== undefined, active);
    followed.doubtAbsent();
    return change?.added ?? [];
  }

  /** These listed URIs, and other spellings in which they are watched. */
  #spelled(uris: readonly string[]): Set<string> {
    return new Set(uris.flatMap((uri) => [uri, ...this.#deps.wanted.spellingsOf(uri)]));
  }
}
