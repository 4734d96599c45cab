// The known definitions of one server: of each, the text that was last seen and the one that was agreed to. If the
// server is pinned, a definition that differs from the agreed one is held back until a person agrees.
import { LiveError } from '@tidings/live';
import { changedFields, newDefinition } from './changed-fields.ts';
import { type DefinitionKind, type DefinitionName, definitionHash } from './definition.ts';

export interface KnownDefinition {
  /** As `sortedJson`. Undefined if none was ever agreed to. */
  readonly agreed: string | undefined;
  readonly seen: string;
}

export interface DefinitionChange extends DefinitionName {
  readonly held: boolean;
  /** Paths of what changed, or `new`. */
  readonly changes: readonly string[];
}

/** A definition that is held back until a person decides. */
export interface HeldDefinition extends DefinitionName, KnownDefinition {
  readonly changes: readonly string[];
  readonly hash: string;
}

/** A person's agreement to a definition as it was shown. */
export interface Agreement extends DefinitionName {
  readonly hash: string;
}

/** The stored definitions, and callbacks that store changes. */
export interface DefinitionMemory {
  /** The definitions by kind; a missing kind has never been read. */
  readonly remembered: ReadonlyMap<DefinitionKind, ReadonlyMap<string, KnownDefinition>>;
  sighted(this: void, kind: DefinitionKind): void;
  remember(this: void, name: DefinitionName, known: KnownDefinition): void;
  forget(this: void, name: DefinitionName): void;
}

/** How many definitions that are not listed any more are kept for comparison. */
const mostUnlisted = 1000;

export class KnownDefinitions {
  readonly #memory: DefinitionMemory;
  readonly #byKind = new Map<DefinitionKind, Map<string, KnownDefinition>>();
  /** The server's present definitions of each kind. */
  readonly #listed = new Map<DefinitionKind, ReadonlySet<string>>();

  constructor(memory: DefinitionMemory) {
    this.#memory = memory;
    for (const [kind, known] of memory.remembered) this.#byKind.set(kind, new Map(known));
  }

  /**
   * Records the server's present definitions of one kind; returns the changes since they were last seen. The first
   * reading of a kind counts as agreed to: the person who configured the server chose it.
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

  /** The text that was last agreed to. */
  agreedText({ kind, name }: DefinitionName): string | undefined {
    return this.#byKind.get(kind)?.get(name)?.agreed;
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

  /** Agrees to all of them or to none: throws if one is not held, or has changed since it was shown. */
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

  /** The server is not pinned any more: everything that was held is agreed to. */
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

  /** Drops the oldest, because a server could invent new names forever. */
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

/** Compared with what was last seen; if that is the same, with what was agreed to. */
function changesFrom(known: KnownDefinition | undefined, text: string): readonly string[] {
  const before = known?.seen === text ? known.agreed : known?.seen;
  return before === undefined ? newDefinition : changedFields(before, text);
}

function keyOf({ kind, name }: DefinitionName): string {
  return `${kind} ${name}`;
}

function notHeld({ kind, name }: DefinitionName): LiveError {
  const message = `${definitionSubject({ kind, name })} is not held back: there is nothing to agree to.`;
  return new LiveError('INVALID_PARAMS', message);
}

function changedSince({ kind, name }: DefinitionName): LiveError {
  const message = `${definitionSubject({ kind, name })} changed again since you looked: look again, then decide.`;
  return new LiveError('INVALID_PARAMS', message);
}

function definitionSubject({ kind, name }: DefinitionName): string {
  if (kind === 'server') return 'The description of the server';
  return kind === 'instructions' ? 'The text of the instructions' : `The ${kind} ${JSON.stringify(name)}`;
}
