// The tools, prompts, instructions and name of one server: read once for all clients in this process, compared with the
// known ones, and offered unless they are held back.
import type { Implementation, Prompt, Tool } from '@modelcontextprotocol/client';
import { LiveError } from '@tidings/live';
import { BoundedMap, sortedJson } from '@tidings/live/portable';
import { Rerun, eventLoopTurn } from '@tidings/live/time';
import { isInvalidAnswer } from '../../connection/error/upstream-error.ts';
import type { JournalRecorder } from '../../journal/journal-recorder.ts';
import { type TrackerLog, callEach } from '../../base/log.ts';
import { isMilestone } from '../../base/milestone.ts';
import { type DefinitionKind, type DefinitionName, instructionsName, selfName } from '../../definition/definition.ts';
import type { ListMeta } from '../../subscription/catalog/list-all.ts';
import type { DefinitionReview } from '../../definition/agreed-for-users.ts';
import type { Agreement, DefinitionChange, HeldDefinition } from '../../definition/known-definitions.ts';

export interface DefinedItems {
  tools: Tool;
  prompts: Prompt;
}

export type DefinedList = keyof DefinedItems;

/** The definitions that are shown to clients. */
export interface Offer extends ServerIntroduction {
  readonly lists: { readonly [List in DefinedList]: readonly DefinedItems[List][] };
}

interface UpstreamDefinitionsDeps {
  serverId: string;
  known: DefinitionReview;
  /** What the predecessor offered, used until the server's definitions have been read. */
  earlier: Offer;
  isPinned(this: void): boolean;
  /** Reads a list of the server. Rejects with UNAVAILABLE while the server is not connected. */
  list<List extends DefinedList>(this: void, list: List): Promise<readonly DefinedItems[List][]>;
  /** `_meta` of the list's last reading. */
  listMeta(this: void, list: DefinedList): ListMeta | undefined;
  /** The server's instructions and name from the handshake. */
  introduction(this: void): Promise<ServerIntroduction>;
  recorder: Pick<JournalRecorder, 'append'>;
  log: Required<TrackerLog>;
}

export interface ServerIntroduction {
  readonly instructions: string | undefined;
  readonly info: Implementation | undefined;
}

export const nothingOffered: Offer = {
  lists: { tools: [], prompts: [] },
  instructions: undefined,
  info: undefined,
};

/** Called when the offered definitions may have changed. */
type Listener = () => void;

const kinds = { tools: 'tool', prompts: 'prompt' } as const satisfies Record<DefinedList, DefinitionKind>;
/** Definitions are serialized in pieces of this size, with other work in between. */
const charactersPerTurn = 256 * 1024;
/**
 * Each change of a definition is reported up to this number, then only some: a definition that keeps changing must not
 * push other events out of the journal.
 */
const eachUpTo = 10;
const mostCounted = 5000;
const unknownVersion = '0';
const plainVersion = /^v?\d[\w.+-]{0,63}$/;

export class UpstreamDefinitions {
  readonly #deps: UpstreamDefinitionsDeps;
  readonly #listeners = new Set<Listener>();
  /** The server's items; undefined until they have been read. */
  readonly #items: { [List in DefinedList]: readonly DefinedItems[List][] | undefined } = {
    tools: undefined,
    prompts: undefined,
  };
  #introduced: ServerIntroduction | undefined;
  /** What could not be read at the last attempt, which was logged. */
  readonly #unread = new Set<string>();
  /** How often each definition changed. */
  readonly #counts = new BoundedMap<string, number>(mostCounted);
  readonly #listReads = {
    tools: new Rerun(() => this.#read('tools')),
    prompts: new Rerun(() => this.#read('prompts')),
  };
  readonly #introductionRead = new Rerun(() => this.#readIntroduction());

  constructor(deps: UpstreamDefinitionsDeps) {
    this.#deps = deps;
  }

  /** The items that may be shown to clients. */
  offered<List extends DefinedList>(list: List): readonly DefinedItems[List][] {
    const kind = kinds[list];
    const items = this.#items[list];
    if (items === undefined) return this.#deps.earlier.lists[list];
    return items.filter(({ name }) => this.#deps.known.isAgreed({ kind, name }));
  }

  /** `_meta` of the list. Undefined for a pinned server, because a person agrees only to definitions. */
  metaOf(list: DefinedList): ListMeta | undefined {
    return this.#deps.isPinned() ? undefined : this.#deps.listMeta(list);
  }

  get instructions(): string | undefined {
    if (this.#introduced === undefined) return this.#deps.earlier.instructions;
    const isAgreed = this.#deps.known.isAgreed({ kind: 'instructions', name: instructionsName });
    const { instructions = '' } = this.#introduced;
    return isAgreed && instructions !== '' ? instructions : undefined;
  }

  /** The server's name, version and description of itself. */
  get info(): Implementation | undefined {
    if (this.#introduced === undefined) return this.#deps.earlier.info;
    const { info } = this.#introduced;
    if (info === undefined || !this.#deps.known.isAgreed({ kind: 'server', name: selfName })) return undefined;
    // A person is not asked about a new version, so it must not have room for a sentence.
    return !this.#deps.isPinned() || plainVersion.test(info.version) ? info : { ...info, version: unknownVersion };
  }

  get offer(): Offer {
    const { instructions, info } = this;
    return { lists: { tools: this.offered('tools'), prompts: this.offered('prompts') }, instructions, info };
  }

  get heldCount(): number {
    return this.#deps.known.heldCount;
  }

  held(): HeldDefinition[] {
    return this.#deps.known.held();
  }

  /**
   * Calls `listener` when the offer may have changed. While there is a listener, definitions are read whenever they may
   * have changed. Returns a function that stops this.
   */
  follow(listener: Listener): () => void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.changed();
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when the definitions have been read, or the server is known to be unavailable. */
  async whenRead(): Promise<void> {
    await Promise.all([this.#listReads.tools.idle(), this.#listReads.prompts.idle(), this.#introductionRead.idle()]);
  }

  /** Call it when the server was connected to, or has sent `list_changed`. */
  changed(...lists: readonly DefinedList[]): void {
    if (this.#listeners.size === 0) return;
    for (const list of lists.length > 0 ? lists : (['tools', 'prompts'] as const)) void this.#listReads[list].request();
    if (lists.length === 0) void this.#introductionRead.request();
  }

  /** Throws if a definition has changed since it was shown; then none is agreed to. */
  agree(agreements: readonly Agreement[]): void {
    this.#report(this.#deps.known.agree(agreements));
  }

  /** The text of a definition that was last agreed to. */
  agreedText(name: DefinitionName): string | undefined {
    return this.#deps.known.agreedText(name);
  }

  /** Call it when what was agreed to elsewhere may have changed. */
  agreementChanged(): void {
    this.#tell();
  }

  /** Call it when the server's pin may have changed. */
  reviewPin(): void {
    if (!this.#deps.isPinned()) this.#report(this.#deps.known.release());
  }

  async #read(list: DefinedList): Promise<void> {
    try {
      const items = await this.#deps.list(list);
      this.#unread.delete(list);
      const texts = await textsOf(items);
      // The compiler cannot express that a list and its items belong together.
      Object.assign(this.#items, { [list]: items });
      this.#see(kinds[list], texts);
    } catch (error) {
      this.#failed(error, list);
    }
  }

  async #readIntroduction(): Promise<void> {
    try {
      this.#introduced = await this.#deps.introduction();
      this.#unread.delete('introduction');
      const { instructions = '', info } = this.#introduced;
      const { version: _version, ...self } = info ?? { version: '' };
      this.#see('instructions', new Map([[instructionsName, sortedJson(instructions)]]));
      this.#see('server', new Map([[selfName, sortedJson(self)]]));
    } catch (error) {
      this.#failed(error, 'introduction');
    }
  }

  #see(kind: DefinitionKind, texts: ReadonlyMap<string, string>): void {
    const { known, isPinned } = this.#deps;
    this.#report(known.see(kind, texts, isPinned()));
    this.#tell();
  }

  #failed(error: unknown, list: string): void {
    // While the server is unavailable, its known definitions stay. They are read again at the next connection.
    if (error instanceof LiveError && error.code === 'UNAVAILABLE' && !isInvalidAnswer(error)) return;
    // It is read again with growing pauses, for ever.
    if (this.#unread.has(list)) return;
    this.#unread.add(list);
    this.#deps.log.warn({ err: error, list }, 'A list of a server could not be read.');
  }

  #report(changes: readonly DefinitionChange[]): void {
    const { recorder, log, serverId } = this.#deps;
    for (const { kind, name, held, changes: fields } of changes) {
      if (this.#isNews(kind, name)) {
        recorder.append({ type: 'definition_changed', serverId, kind, name, held, changes: [...fields] });
      }
      const words = held
        ? 'A definition of a pinned server changed and is held back.'
        : 'A definition of a server changed.';
      log.warn({ kind, name, changes: fields }, words);
    }
    if (changes.length > 0) this.#tell();
  }

  /** After the first ten changes, the 16th, the 32nd and so on. */
  #isNews(kind: DefinitionKind, name: string): boolean {
    const key = `${kind} ${name}`;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count <= eachUpTo || isMilestone(count);
  }

  #tell(): void {
    callEach(this.#listeners, this.#deps.log);
  }
}

async function textsOf(items: readonly { name: string }[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  let characters = 0;
  for (const item of items) {
    const text = sortedJson(item);
    texts.set(item.name, text);
    characters += text.length;
    if (characters < charactersPerTurn) continue;
    characters = 0;
    await eventLoopTurn();
  }
  return texts;
}
