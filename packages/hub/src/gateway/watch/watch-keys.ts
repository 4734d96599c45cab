// The key under which a URI is watched. One URI may belong to different servers for callers that see different servers,
// so the key includes the caller's permissions.
import type { Permissions } from '../../access/permissions.ts';
import type { Owned, Ownership } from '../owner/ownership.ts';

/** Separates the id of the permissions from the URI; no id contains it. */
const separator = ' ';

export class WatchKeys {
  readonly #ownership: Ownership;
  /** Permissions by id: one for each distinct grant. */
  readonly #permissions = new Map<string, Permissions>();

  constructor(ownership: Ownership) {
    this.#ownership = ownership;
  }

  keyOf(uri: string, permissions: Permissions): string {
    this.#permissions.set(permissions.id, permissions);
    return `${permissions.id}${separator}${uri}`;
  }

  uriOf(key: string): string {
    return key.slice(key.indexOf(separator) + 1);
  }

  /** The owner of the URI in a key; undefined if no server has it. */
  find(key: string): Owned | undefined {
    const permissions = this.#permissions.get(key.slice(0, key.indexOf(separator)));
    return permissions && this.#ownership.find(this.uriOf(key), permissions);
  }
}
