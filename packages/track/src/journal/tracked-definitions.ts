// The known tools, prompts and instructions of each server; the archive stores them.
import { type DefinitionMemory, KnownDefinitions } from '../definition/known-definitions.ts';
import type { Archive } from './archive.ts';
import type { DefinitionArchive, DefinitionOwner, RememberedDefinitions } from './definition-archive.ts';

export class TrackedDefinitions {
  readonly #archive: Archive | undefined;
  readonly #remembered: Map<string, DefinitionMemory['remembered']>;
  /** By server; dropped when the server is removed from the configuration. */
  readonly #known = new Map<string, KnownDefinitions>();

  constructor(archive: Archive | undefined, remembered: RememberedDefinitions) {
    this.#archive = archive;
    this.#remembered = new Map(remembered);
  }

  /** `remembered`: what another node has stored since this one was started. */
  of(owner: DefinitionOwner, remembered?: DefinitionMemory['remembered']): KnownDefinitions {
    const { server } = owner;
    const before = remembered === undefined ? this.#known.get(server) : undefined;
    return before ?? this.#add(owner, remembered ?? this.#remembered.get(server) ?? new Map());
  }

  drop(owner: DefinitionOwner): void {
    this.#known.delete(owner.server);
    this.#remembered.delete(owner.server);
    this.#archive?.definitions((archive) => archive.drop(owner));
  }

  #add(owner: DefinitionOwner, remembered: DefinitionMemory['remembered']): KnownDefinitions {
    // A server that is being removed may still be read; the results are not stored.
    const keep = (change: (archive: DefinitionArchive) => void) => {
      if (this.#known.get(owner.server) === known) this.#archive?.definitions(change);
    };
    const known: KnownDefinitions = new KnownDefinitions({
      remembered,
      sighted: (kind) => keep((archive) => archive.sighted(owner, kind)),
      remember: (name, state) => keep((archive) => archive.remember(owner, name, state)),
      forget: (name) => keep((archive) => archive.forget(owner, name)),
    });
    this.#known.set(owner.server, known);
    return known;
  }
}
