// What is kept beside a vCon so that it can be found: its words and its tags.
import { createHash } from 'node:crypto';
import type { Accepted } from '../model/accept.ts';
import { searchableText, words } from '../model/searchable-text.ts';
import { tagsOf } from '../model/tags.ts';
import type { Engine, VconWriting } from './tables.ts';

export async function indexVcon(
  { db }: VconWriting,
  engine: Engine,
  id: number,
  { head, document }: Pick<Accepted, 'head' | 'document'>,
): Promise<void> {
  const found = words(searchableText({ head, dialog: document['dialog'], analysis: document['analysis'] }));
  const kept = engine === 'sqlite' ? found.join(' ') : searchVector(found);
  await db.insertInto('vcon_words').values({ rowid: id, words: kept }).execute();
  const tags = Object.entries(tagsOf(document['attachments']));
  if (tags.length === 0) return;
  const rows = new Map(
    tags.map(([key, value]) => [tagKey(key), { vcon_id: id, key: tagKey(key), value: tagKey(value) }]),
  );
  await db
    .insertInto('tag')
    .values([...rows.values()])
    .execute();
}

export async function unindexVcon({ db }: VconWriting, id: number): Promise<void> {
  await db.deleteFrom('vcon_words').where('rowid', '=', id).execute();
  await db.deleteFrom('tag').where('vcon_id', '=', id).execute();
}

/** A tag's key or value as it is looked up: engines refuse some characters, and index no long texts. */
export function tagKey(text: string): string {
  const plain = text.replaceAll('\0', '').toWellFormed();
  if (plain.length <= longestTag) return plain;
  return `${plain.slice(0, longestTag)}…${createHash('sha256').update(text).digest('base64url')}`;
}
const longestTag = 200;

/** PostgreSQL keeps at most this many places, and this many of one word. */
const lastPlace = 16_383;
const placesOfWord = 255;

/** Words as PostgreSQL takes them unread: it would split them otherwise than SQLite. */
function searchVector(found: readonly string[]): string {
  const places = new Map<string, number[]>();
  for (const [index, word] of found.entries()) {
    const at = places.get(word);
    const place = Math.min(index + 1, lastPlace);
    if (at === undefined) places.set(word, [place]);
    else if (at.length < placesOfWord && at.at(-1) !== place) at.push(place);
  }
  return [...places].map(([word, at]) => `'${word}':${at.join(',')}`).join(' ');
}
