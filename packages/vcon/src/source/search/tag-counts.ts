// All tags, and the number of vCons that have each.
import { type Kysely, sql } from 'kysely';
import { tagKey } from '../search-index.ts';
import type { VconTables } from '../tables.ts';

export interface CountedKey {
  key: string;
  distinct_values: number;
  /** The most frequent first. */
  values: { value: string; count: number }[];
}

export interface TagCountOptions {
  key?: string | undefined;
  /** Only values that begin with it. */
  prefix?: string | undefined;
  valuesPerKey: number;
}

interface TagCountRow {
  key: string;
  value: string;
  times: number;
  distinct_values: number;
}

export async function tagCounts(
  db: Kysely<VconTables>,
  { key, prefix = '', valuesPerKey }: TagCountOptions,
): Promise<CountedKey[]> {
  const ofKey = key === undefined ? sql`` : sql`and key = ${tagKey(key)}`;
  const start = tagKey(prefix);
  const { rows } = await sql<TagCountRow>`
    select key, value, times, distinct_values from (
      select key, value, times, cast(count(*) over (partition by key) as integer) as distinct_values,
        row_number() over (partition by key order by times desc, value) as place
      from (select key, value, cast(count(*) as integer) as times from tag
        where substr(value, 1, length(${start})) = ${start} ${ofKey} group by key, value) as counted
    ) as placed where place <= ${valuesPerKey} order by key, place`.execute(db);
  const keys = new Map<string, CountedKey>();
  for (const row of rows) {
    const counted = keys.get(row.key) ?? { key: row.key, distinct_values: row.distinct_values, values: [] };
    keys.set(row.key, counted);
    counted.values.push({ value: row.value, count: row.times });
  }
  return [...keys.values()];
}

/** The same for redacted vCons: `all` yields the tags of each. */
export async function countedTags(
  all: AsyncIterable<Readonly<Record<string, string>>>,
  { key, prefix = '', valuesPerKey }: TagCountOptions,
): Promise<CountedKey[]> {
  const counts = new Map<string, Map<string, number>>();
  const wanted = key === undefined ? undefined : tagKey(key);
  for await (const tags of all) {
    for (const [name, text] of Object.entries(tags)) {
      const [each, value] = [tagKey(name), tagKey(text)];
      if ((wanted !== undefined && each !== wanted) || !value.startsWith(tagKey(prefix))) continue;
      const values = counts.get(each) ?? new Map<string, number>();
      counts.set(each, values.set(value, (values.get(value) ?? 0) + 1));
    }
  }
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, values]) => ({
      key: name,
      distinct_values: values.size,
      values: [...values]
        .map(([value, count]) => ({ value, count }))
        .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
        .slice(0, valuesPerKey),
    }));
}
