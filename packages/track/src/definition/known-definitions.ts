// What is known of one server's definitions: what was last seen of each, and what was agreed to. Where the server
// is pinned, a definition that is not the agreed one is held back until a person agrees to it.
import { LiveError } from '@tidings/live';
import { changedFields, newDefinition } from './changed-fields.ts';
import { type DefinitionKind, type DefinitionName, definitionHash } from './definition.ts';

export interface KnownDefinition {
  /** As `definitionText`. Nothing where none was ever agreed to. */
  readonly agreed: string | undefined;
  readonly seen: string;
}

export interface DefinitionChange extends DefinitionName {
  readonly held: boolean;
  /** Paths of what changed, or `new`. */
  readonly changes: readonly string[];
}

/** One that is held back, for a person to decide about. */
export interface HeldDefinition extends DefinitionName, KnownDefinition {
  readonly changes: readonly string[];
  readonly hash: string;
}

/** What a person agrees to: the definition as it was shown. */
export interface Agreement extends DefinitionName {
  readonly hash: string;
}

/** What outlives the process, and where it is written. */
export interface DefinitionMemory {
  /** By kind; a kind that is not here has never been read. */
  readonly remembered: ReadonlyMap<DefinitionKind, ReadonlyMap<string, KnownDefinition>>;
  sighted(this: void, kind: DefinitionKind): void;
  remember(this: void, name: DefinitionName, known: KnownDefinition): void;
  forget(this: void, name: DefinitionName): void;
}

/** Of those that are listed no more, so many are kept to compare with when they come back. */
const mostUnlisted = 1000;

export class KnownDefinitions {
  readonly #memory: DefinitionMemory;
  readonly #byKind = new Map<DefinitionKind, Map<string, KnownDefinition>>();
  /** What the server has now, of each kind. */
  readonly #listed = new Map<DefinitionKind, ReadonlySet<string>>();

  constructor(memory: DefinitionMemory) {
    this.#memory = memory;
    for (const [kind, known] of memory.remembered) this.#byKind.set(kind, new Map(known));
  }

  /**
   * Takes over what the server has now of one kind, and says what is not as it was last seen. The first sight of a
   * kind is agreed to: whoever configured the server did that.
   */
  see(kind: DefinitionKind, texts: ReadonlyMap<string, string>, isPinned: boolean): DefinitionChange[] {
    const known = this.#byKind.get(kind);
    this.#listed.set(kind, new Set(texts.keys()));
    if (known === undefined) {
      this.#byKind.set(kind, new Map());
      this.#memory.sighted(kind);
      for (const [name, text] of texts) this.#set({ kind, name }, { agreed: text, seen: text });
      return [];
    }
    const changes: DefinitionChange[] = [];
    for (const [name, text] of texts) {
      const change = this.#seeOne({ kind, name }, text, isPinned);
      if (change) changes.push(change);
    }
    this.#trim(kind);
    return changes;
  }

  isAgreed({ kind, name }: DefinitionName): boolean {
    const known = this.#byKind.get(kind)?.get(name);
    return known !== undefined && known.agreed === known.seen;
  }

  get heldCount(): number {
    return [...this.#heldNames()].length;
  }

  held(): HeldDefinition[] {
    return [...this.#heldNames()].map(({ kind, name, agreed, seen }) => {
      const changes = agreed === undefined ? newDefinition : changedFields(agreed, seen);
      return { kind, name, agreed, seen, changes, hash: definitionHash(seen) };
    });
  }

  /** All of them, or none: throws where one is not held, or is not what was shown any more. */
  agree(agreements: readonly Agreement[]): DefinitionChange[] {
    const held = new Map(this.held().map((each) => [keyOf(each), each]));
    const agreed = agreements.map((agreement) => {
      const each = held.get(keyOf(agreement));
      if (each === undefined) throw notHeld(agreement);
      if (each.hash !== agreement.hash) throw changedSince(agreement);
      return each;
    });
    for (const { kind, name, seen } of agreed) this.#set({ kind, name }, { agreed: seen, seen });
    return agreed.map(({ kind, name, changes }) => ({ kind, name, changes, held: false }));
  }

  /** The server is pinned no more: whatever was held is agreed to. */
  release(): DefinitionChange[] {
    return this.agree(this.held());
  }

  #seeOne(name: DefinitionName, text: string, isPinned: boolean): DefinitionChange | undefined {
    const known = this.#byKind.get(name.kind)?.get(name.name);
    const isHeld = isPinned && known?.agreed !== text;
    const agreed = isHeld ? known?.agreed : text;
    if (known?.seen === text && known.agreed === agreed) return undefined;
    this.#set(name, { agreed, seen: text });
    return { ...name, changes: changesFrom(known, text), held: isHeld };
  }

  *#heldNames(): Generator<DefinitionName & KnownDefinition> {
    for (const [kind, names] of this.#listed) {
      for (const name of names) {
        const known = this.#byKind.get(kind)?.get(name);
        if (known && known.agreed !== known.seen) yield { kind, name, ...known };
      }
    }
  }

  #set(name: DefinitionName, known: KnownDefinition): void {
    this.#byKind.get(name.kind)?.set(name.name, known);
    this.#memory.remember(name, known);
  }

  /** A server could make up new names for ever. The oldest go first. */
  #trim(kind: DefinitionKind): void {
    const known = this.#byKind.get(kind) ?? new Map<string, KnownDefinition>();
    const listed = this.#listed.get(kind) ?? new Set<string>();
    const unlisted = [...known.keys()].filter((name) => !listed.has(name));
    for (const name of unlisted.slice(0, Math.max(0, unlisted.length - mostUnlisted))) {
      known.delete(name);
      this.#memory.forget({ kind, name });
    }
  }
}

/** Compared with what was last seen; where that is the same, with what was agreed to until now. */
function changesFrom(known: KnownDefinition | undefined, text: string): readonly string[] {
  const before = known?.seen === text ? known.agreed : known?.seen;
  return before === undefined ? newDefinition : changedFields(before, text);
}

function keyOf({ kind, name }: DefinitionName): string {
  return `${kind} ${name}`;
}

function notHeld({ kind, name }: DefinitionName): LiveError {
  const what = kind === 'instructions' ? 'Its instructions are' : `Its ${kind} ${JSON.stringify(name)} is`;
  return new LiveError('INVALID_PARAMS', `${what} not held back: there is nothing to agree to.`);
}

function changedSince({ kind, name }: DefinitionName): LiveError {
  const what = kind === 'instructions' ? 'The instructions' : `The ${kind} ${JSON.stringify(name)}`;
  return new LiveError('INVALID_PARAMS', `${what} changed again since you looked: look again, then decide.`);
}
