// Matches for a caller with a redaction: the query is compared with the redacted text, never with hidden content.
import { LiveError } from '@tidings/live';
import type { Criteria, WordCriteria } from './criteria.ts';
import type { FoundVcon, Matches } from './matches.ts';
import { type After, type Order, newestFirst } from './order.ts';
import { isMetBy } from './redacted-entry.ts';
import type { Indexed, RedactedIndex } from './redacted-index.ts';
import type { Result, VisibleHitsOptions } from './visible-hits.ts';
import { type Snippet, snippetsOf } from './snippet.ts';
import { type TagCountOptions, type CountedKey, countedTags } from './tag-counts.ts';

export class RedactedMatches implements Matches {
  readonly #index: RedactedIndex;
  readonly #options: Pick<VisibleHitsOptions, 'permits' | 'signal'>;

  constructor(index: RedactedIndex, options: Pick<VisibleHitsOptions, 'permits' | 'signal'>) {
    this.#index = index;
    this.#options = options;
  }

  async find(criteria: Criteria, order: Order, limit: number, after: After | undefined): Promise<FoundVcon[]> {
    // The order would reveal hidden content.
    if (order.by === 'subject') throw notBySubject();
    const found = await this.#first(criteria, order, limit, after);
    return found.map((entry) => ({
      position: { key: '', created: entry.created, uuid: entry.uuid },
      result: resultOf(entry),
    }));
  }

  /** By time, the newest first: a rank would depend on the words of all documents, including hidden ones. */
  async byWords(criteria: WordCriteria, limit: number): Promise<Result[]> {
    const { words } = criteria;
    const found = await this.#first(criteria, newestFirst, limit);
    const snippets = new Map<number, Snippet[]>();
    for await (const [id, document] of this.#index.documents(found)) snippets.set(id, snippetsOf(document, words));
    return found.map((entry) => resultOf(entry, { snippets: snippets.get(entry.id) ?? [] }));
  }

  async count(criteria: Criteria): Promise<number> {
    let count = 0;
    for await (const some of this.#permitted(criteria, newestFirst)) {
      count += some.filter(({ entry }) => isMetBy(entry, criteria)).length;
    }
    return count;
  }

  async tagCounts(options: TagCountOptions): Promise<CountedKey[]> {
    return countedTags(this.#tags(), options);
  }

  async #first(criteria: Criteria, order: Order, limit: number, after?: After): Promise<Indexed[]> {
    const found: Indexed[] = [];
    for await (const some of this.#permitted(criteria, order, after)) {
      for (const each of some) if (isMetBy(each.entry, criteria)) found.push(each);
      if (found.length >= limit) break;
    }
    return found.slice(0, limit);
  }

  /** Permission is checked first: vCons that the caller may not see are not compared. */
  async *#permitted(criteria: Criteria, order: Order, after?: After): AsyncGenerator<readonly Indexed[]> {
    const { permits, signal } = this.#options;
    for await (const some of this.#index.entries(criteria, order, after)) {
      if (signal?.aborted) return;
      if (permits === undefined) yield some;
      else for (const each of some) if (await permits(each.uuid)) yield [each];
    }
  }

  async *#tags(): AsyncGenerator<Readonly<Record<string, string>>> {
    for await (const some of this.#permitted({}, newestFirst)) for (const { entry } of some) yield entry.tags;
  }
}

function resultOf({ uuid, entry }: Indexed, match: Pick<Result, 'snippets'> = {}): Result {
  const { createdAt, subject, tags } = entry;
  return { uuid, created_at: createdAt, subject, tags: { ...tags }, ...match };
}

function notBySubject(): LiveError {
  return new LiveError(
    'PERMISSION_DENIED',
    'Your credentials show redacted conversations only, which can be ordered by created_at but not by subject.',
  );
}
