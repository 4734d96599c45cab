// Hands the watches of a server from one `Upstream` to its successor, when this node's role for the server changes.
// Both share the watchers and what these hold, so watchers are told only of what differs.
//
//   the old one            the new one
//   handover() ──────────► is made with it, and connects
//                          takeOver(the old one): compares what watchers hold
//   is stopped
import type { Watch } from '@tidings/live/internal';
import type { ListenerContent } from '../mirror/listener-content.ts';
import type { Catalog } from '../subscription/catalog/catalog.ts';
import type { Watcher } from '../subscription/watchers.ts';
import type { Handover } from './upstream-deps.ts';
import type { UpstreamParts } from './upstream-parts.ts';

interface Watching {
  readonly uri: string;
  isEnded: boolean;
}

/** Outside the class, so that a watch, which may outlive its `Upstream`, does not keep it in memory. */
function endOf(watching: Watching, leave: () => void): () => void {
  return () => {
    watching.isEnded = true;
    leave();
  };
}

export class Succession {
  readonly #parts: UpstreamParts;
  /** Watches that are not in force yet. */
  readonly #unanswered = new Set<Watching>();

  constructor(parts: UpstreamParts) {
    this.#parts = parts;
  }

  watch(uri: string, watcher: Watcher): Required<Watch> {
    const watching = { uri, isEnded: false };
    const end = endOf(watching, this.#parts.watchers.add(uri, watcher));
    return { ready: this.#inForce(watching), end };
  }

  /** The state that the successor continues with. */
  handover(catalog: Catalog): Handover {
    const { followed, watchers, definitions } = this.#parts;
    const watcherContents = new Map<string, ListenerContent>();
    for (const uri of [...followed.mirror.uris, ...watchers.uris]) {
      const reported = followed.mirror.watcherContents(uri);
      if (reported) watcherContents.set(uri, reported);
    }
    return { watchers, watcherContents, offer: definitions.offer, catalog };
  }

  /** Call it before the predecessor is stopped. */
  takeOver(before: Succession): void {
    const { followed, watchers, reconciler } = this.#parts;
    const unanswered = new Set([...before.#unanswered].map(({ uri }) => uri));
    for (const uri of watchers.uris) {
      // If they differ, a watcher began after the handover.
      const isKnown = before.#parts.followed.mirror.watcherContents(uri) === followed.mirror.watcherContents(uri);
      if (!isKnown || unanswered.has(uri)) followed.notifyWhenSubscribed(uri);
      // The predecessor may have notified watchers, or failed to read, after the successor compared.
      else followed.doubt(uri);
    }
    reconciler.request();
  }

  sharesWatchersWith(other: Succession): boolean {
    return this.#parts.watchers === other.#parts.watchers;
  }

  async #inForce(watching: Watching): Promise<void> {
    const { reconciler, followed } = this.#parts;
    const { uri } = watching;
    this.#unanswered.add(watching);
    if (!reconciler.coverage.isInForce(uri)) await reconciler.requested(uri);
    this.#unanswered.delete(watching);
    if (!watching.isEnded && !reconciler.coverage.isDecided(uri)) followed.notifyWhenSubscribed(uri);
  }
}
