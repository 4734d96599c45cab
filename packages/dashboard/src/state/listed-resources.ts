// Every listed resource, and the time of its last reported change.
import { type Timer, systemClock } from '@tidings/live/time';
import { readListedResources } from '../hub/api.ts';
import type { ListedResource } from '@tidings/client/contract';
import { Observable } from './observable.ts';

export interface LastChange {
  at: number;
  count: number;
}

/** The shortest time between two reads of a list that keeps changing. */
const rereadMs = 1500;

export class ListedResources extends Observable {
  #byServer = new Map<string, readonly ListedResource[]>();
  /** By server and URI. */
  #index = new Map<string, ListedResource>();
  readonly #changes = new Map<string, LastChange>();
  readonly #timers = new Map<string, Timer>();
  /** Reads are numbered when they begin: an answer that was overtaken by that of a later read is outdated. */
  #reads = 0;
  #shownRead = 0;
  /** The read of a single server whose answer is shown. */
  readonly #shownReads = new Map<string, number>();
  #version = 0;
  #isLoaded = false;

  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** Changes whenever the list does. */
  get version(): number {
    return this.#version;
  }

  get resources(): readonly ListedResource[] {
    return [...this.#byServer.values()].flat();
  }

  find(serverId: string, uri: string): ListedResource | undefined {
    return this.#index.get(`${serverId} ${uri}`);
  }

  countOf(serverId: string): number {
    return this.#byServer.get(serverId)?.length ?? 0;
  }

  /** The last change of a resource, or of all resources whose URI starts with `prefix`, if `prefix` ends at a slash. */
  changeOf(serverId: string, prefix: string): LastChange | undefined {
    return this.#changes.get(`${serverId} ${prefix}`);
  }

  /** Reads the list of one server again, or of all. */
  async reload(serverId?: string): Promise<void> {
    this.#reads += 1;
    const read = this.#reads;
    const resources = await readListedResources(serverId);
    if (read < this.#shownRead || (serverId !== undefined && read < this.#lastReadOf(serverId))) return;
    if (serverId === undefined) this.#showAll(read, resources);
    else {
      this.#shownReads.set(serverId, read);
      this.#byServer.set(serverId, resources);
    }
    this.#relisted();
  }

  /** Reads the list of one server, soon. */
  reloadSoon(serverId: string): void {
    if (this.#timers.has(serverId)) return;
    const timer = systemClock.after(this.#isLoaded ? rereadMs / 10 : rereadMs, () => {
      this.#timers.delete(serverId);
      // If the hub does not answer, everything is read after the reconnection.
      this.reload(serverId).catch(() => undefined);
    });
    this.#timers.set(serverId, timer);
  }

  updated(serverId: string, uri: string, at: number): void {
    for (const prefix of prefixesOf(uri)) {
      const key = `${serverId} ${prefix}`;
      this.#changes.set(key, { at, count: (this.#changes.get(key)?.count ?? 0) + 1 });
    }
    this.changed();
  }

  #lastReadOf(serverId: string): number {
    return this.#shownReads.get(serverId) ?? 0;
  }

  #showAll(read: number, resources: readonly ListedResource[]): void {
    const byServer = new Map<string, ListedResource[]>();
    for (const resource of resources) {
      const known = byServer.get(resource.serverId);
      if (known) known.push(resource);
      else byServer.set(resource.serverId, [resource]);
    }
    const newer = [...this.#byServer].filter(([serverId]) => this.#lastReadOf(serverId) > read);
    this.#byServer = new Map([...byServer, ...newer]);
    this.#shownRead = read;
    this.#isLoaded = true;
  }

  #relisted(): void {
    this.#version += 1;
    this.#index = new Map(this.resources.map((resource) => [`${resource.serverId} ${resource.uri}`, resource]));
    this.changed();
  }
}

/** The URI and its prefixes up to each slash; the empty one means the whole server. */
function prefixesOf(uri: string): string[] {
  const prefixes = ['', uri];
  for (let at = uri.indexOf('/', schemeLength(uri)); at >= 0; at = uri.indexOf('/', at + 1)) {
    if (at + 1 < uri.length) prefixes.push(uri.slice(0, at + 1));
  }
  return prefixes;
}

export function schemeLength(uri: string): number {
  return /^[a-z][a-z0-9+.-]*:\/*/i.exec(uri)?.[0].length ?? 0;
}
