// Under which key a URI is watched. One URI may belong to different servers for callers who see different servers,
// so callers with other permissions watch it under a key of their own.
import type { Permissions } from '../access/permissions.ts';
import type { Owned, Ownership } from './ownership.ts';

/** Stands between the id of the permissions and the URI; no id contains it. */
const separator = ' ';

export class WatchKeys {
  readonly #ownership: Ownership;
  /** By id. As many as there are different grants. */
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

  ownerOf(key: string): Owned {
    const permissions = this.#permissions.get(key.slice(0, key.indexOf(separator)));
    if (permissions === undefined) throw new TypeError(`"${key}" is no key of a watched resource.`);
    return this.#ownership.ownerOf(this.uriOf(key), permissions);
  }

  find(key: string): Owned | undefined {
    try {
      return this.ownerOf(key);
    } catch {
      return undefined;
    }
  }
}
