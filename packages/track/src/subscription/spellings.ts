// Agents are shown URIs in plain characters (`plain-uri.ts`). This maps such a spelling back to the server's URI, so
// that an agent can read a resource by the URI it was shown.
import { plainUri } from '@tidings/client/tell';

export class Spellings {
  /** Only URIs that are shown differently; undefined if two are shown alike. */
  readonly #byPlain = new Map<string, string | undefined>();

  constructor(uris: Iterable<string> = []) {
    for (const uri of uris) this.add(uri);
  }

  add(uri: string): void {
    const plain = plainUri(uri);
    if (plain === uri) return;
    const isTaken = this.#byPlain.has(plain) && this.#byPlain.get(plain) !== uri;
    this.#byPlain.set(plain, isTaken ? undefined : uri);
  }

  delete(uri: string): void {
    this.#byPlain.delete(plainUri(uri));
  }

  /** The server's URI that is shown as `plain`, if it is a different one. */
  find(plain: string): string | undefined {
    return this.#byPlain.get(plain);
  }
}
