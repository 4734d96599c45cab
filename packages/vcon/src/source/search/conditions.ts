// Criteria as SQL, for both engines. Search terms are only ever parameters.
import { type RawBuilder, sql } from 'kysely';
import type { VconEngine } from '../tables.ts';
import type { Criteria, Words } from './criteria.ts';

export function conditions(criteria: Criteria, engine: VconEngine): RawBuilder<unknown>[] {
  const { subject, party, partyFields = {}, from, to, tags = [], words } = criteria;
  const contains = (column: string, part: string) =>
    engine === 'sqlite' ? sql`instr(${sql.ref(column)}, ${part}) > 0` : sql`strpos(${sql.ref(column)}, ${part}) > 0`;
  const all: RawBuilder<unknown>[] = [];
  if (subject !== undefined) all.push(contains('vcon.subject_key', subject));
  // A prefilter on the text of all party fields; single fields are compared afterwards.
  for (const parts of [party, ...Object.values(partyFields)]) {
    if (parts === undefined) continue;
    const some = parts.map((part) => contains('vcon.party_key', part));
    all.push(sql`(${sql.join(some, sql` or `)})`);
  }
  if (from !== undefined) all.push(sql`vcon.created >= ${from}`);
  if (to !== undefined) all.push(sql`vcon.created <= ${to}`);
  for (const [key, value] of tags) {
    all.push(sql`vcon.id in (select vcon_id from tag where key = ${key} and value = ${value})`);
  }
  if (words !== undefined) all.push(sql`vcon.id in (select rowid from vcon_words where ${wordsMatch(words, engine)})`);
  return all;
}

function wordsMatch(words: Words, engine: VconEngine): RawBuilder<unknown> {
  const question = wordQuery(words, engine);
  return engine === 'sqlite' ? sql`vcon_words match ${question}` : sql`words @@ ${question}::tsquery`;
}

/** Words contain letters and digits only, so quoting is enough. */
export function wordQuery({ whole, begun }: Words, engine: VconEngine): string {
  const [quote, and, prefix] = engine === 'sqlite' ? ['"', ' ', '*'] : ["'", ' & ', ':*'];
  const quoted = (word: string) => `${quote}${word}${quote}`;
  return [...whole.map(quoted), ...(begun === undefined ? [] : [`${quoted(begun)}${prefix}`])].join(and);
}
