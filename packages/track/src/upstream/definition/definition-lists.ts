// Reads the tools and prompts of one server, within bounds and not too often. While a list may not be read again,
// returns the last reading; `due` is called when it may, and when a list that could not be read should be tried again.
import type { Client } from '@modelcontextprotocol/client';
import type { Clock } from '@tidings/live';
import { Backoff, Later } from '@tidings/live/time';
import { retryPauses } from '../../base/retry-pauses.ts';
import { type ListMeta, type ListResult, listAll } from '../../subscription/catalog/list-all.ts';
import { ListRateLimit } from '../../subscription/catalog/list-rate-limit.ts';
import type { ListedItems } from '../../subscription/catalog/listed-item.ts';

type DefinitionList = 'tools' | 'prompts';

interface DefinitionListsOptions {
  clock: Clock;
  random: () => number;
  use<T>(this: void, work: (client: Client) => Promise<T>): Promise<T>;
  reportMissing(this: void, list: DefinitionList, missing: string): void;
  due(this: void, list: DefinitionList): void;
}

export class DefinitionLists {
  readonly #readers: { readonly [Each in DefinitionList]: DefinitionReader<Each> };

  constructor(options: DefinitionListsOptions) {
    this.#readers = {
      tools: new DefinitionReader('tools', options),
      prompts: new DefinitionReader('prompts', options),
    };
  }

  list<Kind extends DefinitionList>(list: Kind): Promise<readonly ListedItems[Kind][]> {
    return this.#readers[list].read();
  }

  /** `_meta` of the list's last reading. */
  meta(list: DefinitionList): ListMeta | undefined {
    return this.#readers[list].meta;
  }

  /** Discards earlier readings, for a new session. */
  begin(): void {
    this.#readers.tools.begin();
    this.#readers.prompts.begin();
  }
}

class DefinitionReader<Kind extends DefinitionList> {
  readonly #kind: Kind;
  readonly #options: DefinitionListsOptions;
  readonly #rateLimit: ListRateLimit;
  #last: ListResult<ListedItems[Kind]> | undefined;
  /** Reports that the list may be read again. */
  readonly #due: Later;
  /** Reports that it should be, because it could not be read. */
  readonly #retry: Later;
  readonly #retries: Backoff;

  constructor(kind: Kind, options: DefinitionListsOptions) {
    this.#kind = kind;
    this.#options = options;
    this.#rateLimit = new ListRateLimit(options.clock);
    this.#due = new Later(options.clock, () => options.due(kind));
    this.#retry = new Later(options.clock, () => options.due(kind));
    this.#retries = new Backoff(retryPauses, options.random);
  }

  get meta(): ListMeta | undefined {
    return this.#last?.meta;
  }

  begin(): void {
    this.#rateLimit.reset();
    this.#due.cancel();
    this.#retry.cancel();
    this.#retries.reset();
    this.#last = undefined;
  }

  async read(): Promise<readonly ListedItems[Kind][]> {
    const { use, reportMissing } = this.#options;
    const { waitMs } = this.#rateLimit;
    if (waitMs > 0) {
      this.#due.request(waitMs);
      this.#rateLimit.throwFailure();
      return this.#last?.items ?? [];
    }
    const result = await use((client) => this.#rateLimit.measure(() => this.#readNow(client)));
    this.#retry.cancel();
    this.#retries.reset();
    this.#last = result;
    reportMissing(this.#kind, result.missing);
    return result.items;
  }

  async #readNow(client: Client): Promise<ListResult<ListedItems[Kind]>> {
    const { clock } = this.#options;
    if (client.getServerCapabilities()?.[this.#kind] === undefined) return { items: [], missing: '', digest: '' };
    try {
      return await listAll(client, this.#kind, { clock });
    } catch (error) {
      // If the connection is lost, the list is read in the next session instead: `begin` cancels this.
      this.#retry.request(this.#retries.next());
      throw error;
    }
  }
}
