// The definitions of a server as one user's own connection reads them. If the server is pinned, the user is offered those
// that were agreed to for all: a person who configures the hub agrees, on the operator's connection.
import type { DefinitionKind, DefinitionName } from './definition.ts';
import type { KnownDefinitions } from './known-definitions.ts';

/** What is known of the definitions of a server, and which of them may be offered. */
export type DefinitionReview = Pick<
  KnownDefinitions,
  'see' | 'isAgreed' | 'agreedText' | 'heldCount' | 'held' | 'agree' | 'release'
>;

export interface AgreedForUsersDeps {
  isPinned(this: void): boolean;
  /** The text that was agreed to for all. */
  agreedText(this: void, name: DefinitionName): string | undefined;
}

export class AgreedForUsers implements DefinitionReview {
  readonly heldCount = 0;
  readonly #deps: AgreedForUsersDeps;
  readonly #seen = new Map<DefinitionKind, ReadonlyMap<string, string>>();

  constructor(deps: AgreedForUsersDeps) {
    this.#deps = deps;
  }

  see(kind: DefinitionKind, texts: ReadonlyMap<string, string>): [] {
    this.#seen.set(kind, texts);
    return [];
  }

  isAgreed({ kind, name }: DefinitionName): boolean {
    const text = this.#seen.get(kind)?.get(name);
    if (text === undefined) return false;
    return !this.#deps.isPinned() || text === this.agreedText({ kind, name });
  }

  agreedText(name: DefinitionName): string | undefined {
    return this.#deps.agreedText(name);
  }

  /** A user decides nothing here, so nothing waits for a decision. */
  held(): [] {
    return [];
  }

  agree(): [] {
    return [];
  }

  release(): [] {
    return [];
  }
}
