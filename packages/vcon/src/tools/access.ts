// The operations that tools may perform for one caller: those that its credentials allow, with redacted results.
import { type Authorize, type Caller, LiveError } from '@tidings/live';
import type { Redaction } from '../model/redaction.ts';
import { base } from '../resources/conversation-base.ts';
import type { Library } from '../source/library.ts';
import type { Search } from '../source/search/search.ts';
import type { Searcher } from '../source/search/searcher.ts';
import type { VconReader } from '../source/vcon-reader.ts';
import { vconUri } from './answer.ts';

interface AccessOptions {
  library: Library;
  search: Search;
  redactionFor: (caller: Caller) => Redaction | undefined;
  authorize: Authorize | undefined;
  /** How many characters a tool may answer with. */
  budget: number;
}

export type AccessFor = (caller: Caller) => Access;

/** Tools that change something are hidden from callers who see redacted vCons only. */
export function isForWriters(accessFor: AccessFor): (caller: Caller) => boolean {
  return (caller) => {
    try {
      return accessFor(caller).mayChange;
    } catch {
      // Credentials that name a redaction which does not exist.
      return false;
    }
  };
}

export class Access {
  readonly budget: number;
  readonly #options: AccessOptions;
  readonly #caller: Caller;
  readonly #redaction: Redaction | undefined;

  constructor(options: AccessOptions, caller: Caller) {
    this.budget = options.budget;
    this.#options = options;
    this.#caller = caller;
    this.#redaction = options.redactionFor(caller);
  }

  reader(budget = this.budget): VconReader {
    return this.#options.library.reader(this.#redaction, budget);
  }

  /** A change could make hidden content readable, and its answer shows the previous content. */
  get mayChange(): boolean {
    return this.#redaction === undefined;
  }

  /** The library, for changes. */
  get writable(): Library {
    if (this.mayChange) return this.#options.library;
    throw new LiveError(
      'PERMISSION_DENIED',
      'Your credentials show redacted conversations only, which cannot be changed.',
    );
  }

  /** `signal` ends the search when its request is cancelled. */
  searcher(signal?: AbortSignal): Searcher {
    const { authorize, search } = this.#options;
    const permits = authorize && ((uuid: string) => authorize(this.#caller, vconUri(uuid)));
    return search.as(this.#redaction, permits, signal);
  }

  /** Returns the uuid, or throws. */
  async permitted(uuid: string): Promise<string> {
    await this.#check(vconUri(uuid));
    return uuid;
  }

  /** For tools that are not about a single vCon. */
  async permittedAll(): Promise<void> {
    await this.#check(`${base}/ids`);
  }

  async #check(uri: string): Promise<void> {
    const { authorize } = this.#options;
    if (authorize === undefined || (await authorize(this.#caller, uri))) return;
    throw new LiveError('PERMISSION_DENIED', `Your credentials do not allow this for ${uri}.`, uri);
  }
}
