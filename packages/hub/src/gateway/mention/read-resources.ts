// Which resources each caller has read or subscribed to, and which of them changed since. Hosts that drop notifications
// still show a model the results of tools, so a line at the end of a result reaches it. A line contains only URIs, no
// text of a server.
import type { Caller } from '@tidings/live';
import type { PlainContext, PlainReadRequest } from '@tidings/live/internal';
import { startOf } from '@tidings/live/portable';
import type { Journal } from '@tidings/track';
import { userOf } from '../../access/user-of.ts';
import type { CountedChanges } from '../../base/counted-changes.ts';
import { namedUris } from '../../base/named-uris.ts';
import type { Address } from '../owner/address.ts';
import { markOf } from '../relay/relayed-request.ts';

/** Resources of one caller; the ones read longest ago are forgotten. */
const mostOfCaller = 100;
/** Characters of all entries. Beyond that, the principal with the most characters loses its oldest entries. */
const mostCharacters = 4_000_000;
/** The size of an entry without its texts. */
const entrySize = 300;
/** Longer URIs, and callers with longer names, are not remembered. */
const longestKept = 2048;
/** Characters of the name of a client; longer names are cut. */
const longestName = 100;

/** The client that reads or calls, as its request identifies it. */
export interface Reader {
  readonly caller: Caller;
  readonly client: { readonly name: string; readonly version: string } | undefined;
  /** The session of a 2025-era client. */
  readonly sessionId: string | undefined;
  /** Distinguishes modern clients of one name and version. */
  readonly mark?: string | undefined;
}

export function readerOf(caller: Caller, request: PlainReadRequest | PlainContext): Reader {
  if (!('mcpReq' in request)) return { caller, client: request.client, sessionId: undefined };
  return { caller, client: request.client.info, sessionId: request.sessionId, mark: markOf(request) };
}

/** A resource, and the user on whose own connection it is; undefined for a connection that callers share. */
export interface ReadAddress extends Address {
  readonly user?: string | undefined;
}

interface ChangedAddress extends ReadAddress {
  /**
   * Whether the change is one that only the operator's login shows. Others may have read the resource when that login
   * was shared.
   */
  readonly isOperatorOnly: boolean;
}

/** One resource that a caller has read, with its changes since then. */
interface ReadResource extends ReadAddress, CountedChanges {
  /** The URI that the caller used. */
  readonly requestedUri: string;
  /** How many of the changes were reported to the caller. */
  readonly told: number;
  /** The name of the client that read it, as the client gave it. */
  readonly client: string;
  /** Whether the client has its own entries; others of one name and version share them. */
  readonly isOfOneSession: boolean;
  /** The changes before it was read again. */
  readonly earlier: CountedChanges;
}

interface ReadCount extends ReadResource {
  readonly caller: string;
  readonly principal: PrincipalReads;
  readonly isOperator: boolean;
  /** Size in characters. */
  readonly size: number;
  changes: number;
  told: number;
  firstChange: number;
  lastChange: number;
}

/** The resources that the callers with one credential have read. */
interface PrincipalReads {
  readonly subject: string;
  /** By caller and URI; of both, the most recently used is the last. */
  readonly callers: Map<string, Map<string, ReadCount>>;
  characters: number;
}

const none: CountedChanges = { changes: 0, firstChange: 0, lastChange: 0 };

export class ReadResources {
  readonly #journal: Pick<Journal, 'at' | 'end' | 'follow' | 'start'>;
  readonly #principals = new Map<string, PrincipalReads>();
  readonly #byResource = new Map<string, Set<ReadCount>>();
  readonly #unfollow: () => void;
  readonly #justChanged = new Set<string>();
  #position: number;
  #lastChange = 0;
  #size = 0;
  #characters = 0;

  constructor(journal: Pick<Journal, 'at' | 'end' | 'follow' | 'start'>) {
    this.#journal = journal;
    this.#position = journal.end;
    this.#unfollow = journal.follow(() => this.#advance());
  }

  /** How many resources are remembered. */
  get size(): number {
    return this.#size;
  }

  /** The number of the newest change. */
  get lastChange(): number {
    return this.#lastChange;
  }

  /** Records a read. Call it before the read, so that changes meanwhile count. */
  reading(reader: Reader, { serverId, uri, user }: ReadAddress, requestedUri: string): void {
    const caller = markedKey(reader);
    if ([uri, requestedUri, caller].some(({ length }) => length > longestKept)) return;
    const principal = this.#principalOf(reader);
    const own = principal.callers.get(caller) ?? new Map<string, ReadCount>();
    const before = own.get(requestedUri);
    if (before) this.#remove(before);
    const client = startOf(reader.client?.name ?? '', longestName);
    const size = entrySize + 2 * uri.length + requestedUri.length + caller.length + client.length;
    const isOfOneSession = reader.caller.era === 'legacy' || reader.mark !== undefined;
    const isOperator = userOf(reader.caller) === undefined;
    const kept = { caller, principal, isOperator, size, isOfOneSession, earlier: changesBefore(before) };
    const entry: ReadCount = { ...kept, serverId, uri, user, requestedUri, client, told: 0, ...none };
    own.set(requestedUri, entry);
    const key = addressKey(entry);
    const readers = this.#byResource.get(key);
    if (readers) readers.add(entry);
    else this.#byResource.set(key, new Set([entry]));
    this.#count(entry, 1);
    principal.callers.delete(caller);
    principal.callers.set(caller, own);
    this.#principals.set(principal.subject, principal);
    this.#forgetOldest(own);
  }

  /** Counts changes from the start of the subscription. Evicts no resource that was read. */
  subscribed(reader: Reader, address: ReadAddress, requestedUri: string): 'full' | undefined {
    const own = this.#ownOf(reader);
    if (own.has(requestedUri)) return undefined;
    if (own.size >= mostOfCaller || this.#characters >= mostCharacters) return 'full';
    this.reading(reader, address, requestedUri);
    return undefined;
  }

  /** The resources that a caller has read, under any mark, the most recent first. */
  readBy(reader: Reader): readonly ReadResource[] {
    const key = readerKey(reader);
    const callers = this.#principals.get(subjectOf(reader))?.callers ?? [];
    const own = [...callers].filter(([caller]) => caller === key || caller.startsWith(`${key} `));
    return own.flatMap(([, entries]) => Array.from(entries.values())).toReversed();
  }

  /** The resources that all callers with this credential have read. */
  *readWith(subject: string): Iterable<ReadResource> {
    for (const own of this.#principals.get(subject)?.callers.values() ?? []) yield* own.values();
  }

  /**
   * Counts a change that is not in the journal. Every watcher of the resource reports it, so it may be reported several
   * times at once.
   */
  changed(address: ChangedAddress): void {
    const key = addressKey(address);
    if (this.#justChanged.has(key) || !this.#byResource.has(key)) return;
    if (this.#justChanged.size === 0) queueMicrotask(() => this.#justChanged.clear());
    this.#justChanged.add(key);
    this.#changed(address);
  }

  /** One line about changes that were not reported yet; undefined if there are none. */
  lineFor(reader: Reader, permits: (address: Address) => boolean): string | undefined {
    const changed = [...this.#ownOf(reader).values()].filter((entry) => entry.changes > entry.told && permits(entry));
    if (changed.length === 0) return undefined;
    for (const entry of changed) entry.told = entry.changes;
    const named = namedUris(changed.map(({ requestedUri, changes }) => ({ uri: requestedUri, changes })));
    return `Changed since you read it: ${named}; read again what you rely on.`;
  }

  close(): void {
    this.#unfollow();
  }

  #ownOf(reader: Reader): ReadonlyMap<string, ReadCount> {
    return this.#principals.get(subjectOf(reader))?.callers.get(markedKey(reader)) ?? new Map<string, ReadCount>();
  }

  #advance(): void {
    const { start } = this.#journal;
    // The journal has lost events that were not read here.
    if (this.#position < start) {
      this.#doubt(undefined, false);
      this.#position = start;
    }
    for (; this.#position < this.#journal.end; this.#position += 1) {
      const event = this.#journal.at(this.#position)?.event;
      const isOperatorOnly = event?.operatorOnly === true;
      if (event?.type === 'resource_update')
        this.#changed({ serverId: event.serverId, uri: event.resourceUri, isOperatorOnly });
      if (event?.type === 'list_changed')
        for (const uri of event.removed) this.#changed({ serverId: event.serverId, uri, isOperatorOnly });
      if (event?.type === 'gap') this.#doubt(event.serverId, isOperatorOnly);
    }
  }

  #changed(address: ChangedAddress): void {
    const readers = this.#byResource.get(addressKey(address)) ?? [];
    this.#haveChanged(address.isOperatorOnly ? [...readers].filter(({ isOperator }) => isOperator) : readers);
  }

  /** Counts a possible change of every resource of the server. The journal knows no connections of users. */
  #doubt(serverId: string | undefined, isOperatorOnly: boolean): void {
    const isOfServer = (entry: ReadCount) =>
      serverId === undefined || (entry.serverId === serverId && entry.user === undefined);
    const isMeant = (entry: ReadCount) => isOfServer(entry) && (entry.isOperator || !isOperatorOnly);
    this.#haveChanged([...this.#byResource.values()].flatMap((readers) => [...readers].filter(isMeant)));
  }

  #haveChanged(changed: Iterable<ReadCount>): void {
    this.#lastChange += 1;
    for (const entry of changed) {
      entry.changes += 1;
      entry.firstChange ||= this.#lastChange;
      entry.lastChange = this.#lastChange;
    }
  }

  #principalOf(reader: Reader): PrincipalReads {
    const subject = subjectOf(reader);
    return this.#principals.get(subject) ?? { subject, callers: new Map(), characters: 0 };
  }

  #forgetOldest(own: Map<string, ReadCount>): void {
    const [oldest] = own.values();
    if (own.size > mostOfCaller && oldest) this.#remove(oldest);
    while (this.#characters > mostCharacters) {
      const [largest] = [...this.#principals.values()].toSorted((a, b) => b.characters - a.characters);
      const [longestUnused] = largest?.callers.values() ?? [];
      const [longestAgo] = longestUnused?.values() ?? [];
      if (longestAgo === undefined) return;
      this.#remove(longestAgo);
    }
  }

  #remove(entry: ReadCount): void {
    const { principal, caller, requestedUri } = entry;
    const own = principal.callers.get(caller);
    own?.delete(requestedUri);
    if (own?.size === 0) principal.callers.delete(caller);
    if (principal.callers.size === 0) this.#principals.delete(principal.subject);
    const key = addressKey(entry);
    const readers = this.#byResource.get(key);
    readers?.delete(entry);
    if (readers?.size === 0) this.#byResource.delete(key);
    this.#count(entry, -1);
  }

  #count({ principal, size }: ReadCount, by: 1 | -1): void {
    this.#size += by;
    this.#characters += by * size;
    principal.characters += by * size;
  }
}

function changesBefore(before: ReadCount | undefined): CountedChanges {
  if (before === undefined) return none;
  const { changes, firstChange, lastChange } = before;
  return changes === 0 ? before.earlier : { changes, firstChange, lastChange };
}

function subjectOf({ caller }: Reader): string {
  return caller.auth?.subject ?? '';
}

/** Identifies a reader: a 2025-era client by its session, a modern one by its credential, name and version. */
export function readerKey({ caller, client, sessionId }: Reader): string {
  const who = caller.era === 'legacy' ? sessionId : [client?.name, client?.version];
  return JSON.stringify([caller.era, caller.auth?.subject, who]);
}

/** Distinguishes two windows of one host, which may have read different resources. */
function markedKey(reader: Reader): string {
  return reader.mark === undefined ? readerKey(reader) : `${readerKey(reader)} ${reader.mark}`;
}

function addressKey({ serverId, uri, user }: ReadAddress): string {
  return user === undefined ? `${serverId} ${uri}` : JSON.stringify([user, serverId, uri]);
}
