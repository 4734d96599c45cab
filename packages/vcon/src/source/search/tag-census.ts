// Which tags there are, and how many vCons have each.
import { type Kysely, sql } from 'kysely';
import type { Redaction } from '../../model/redaction.ts';
import { tagsOf } from '../../model/tags.ts';
import { tagKey } from '../search-index.ts';
import type { Tables } from '../tables.ts';

export interface CountedKey {
  key: string;
  distinct_values: number;
  /** The most frequent first. */
  values: { value: string; count: number }[];
}

export interface CensusOptions {
  key?: string | undefined;
  /** Only values that begin with it. */
  prefix?: string | undefined;
  valuesPerKey: number;
}

interface CensusRow {
  key: string;
  value: string;
  times: number;
  distinct_values: number;
}

export async function tagCensus(
  db: Kysely<Tables>,
  { key, prefix = '', valuesPerKey }: CensusOptions,
  redaction: Redaction | undefined,
): Promise<CountedKey[]> {
  const ofKey = key === undefined ? sql`` : sql`and key = ${tagKey(key)}`;
  const start = tagKey(prefix);
  const { rows } = await sql<CensusRow>`
    select key, value, times, distinct_values from (
      select key, value, times, cast(count(*) over (partition by key) as integer) as distinct_values,
        row_number() over (partition by key order by times desc, value) as place
      from (select key, value, cast(count(*) as integer) as times from tag
        where substr(value, 1, length(${start})) = ${start} ${ofKey} group by key, value) as counted
    ) as placed where place <= ${valuesPerKey} order by key, place`.execute(db);
  const keys = new Map<string, CountedKey>();
  for (const row of rows) {
    for (const [name, value] of Object.entries(shown(row, redaction))) {
      // Whoever asks for a key that is hidden is not to learn that it is there.
      if (key !== undefined && name !== row.key) continue;
      const counted = keys.get(name) ?? { key: name, distinct_values: row.distinct_values, values: [] };
      keys.set(name, counted);
      const same = counted.values.find((each) => each.value === value);
      if (same === undefined) counted.values.push({ value, count: row.times });
      else same.count += row.times;
    }
  }
  return [...keys.values()];
}

/** As the tags of a vCon with this one alone would be shown, in whichever of the two styles they are written. */
function shown({ key, value }: CensusRow, redaction: Redaction | undefined): Record<string, string> {
  if (redaction === undefined) return { [key]: value };
  const asList = redaction.part('attachments', [{ type: 'tags', encoding: 'json', body: [`${key}:${value}`] }]);
  return tagsOf(redaction.part('attachments', [{ type: 'tags', encoding: 'json', body: tagsOf(asList) }]));
}
