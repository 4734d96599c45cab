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
  for (const some of inParts([...rows.values()])) await db.insertInto('tag').values(some).execute();
}

/** Engines take only so many parameters at once. */
const rowsAtOnce = 1000;

function* inParts<T>(rows: readonly T[]): Iterable<readonly T[]> {
  for (let start = 0; start < rows.length; start += rowsAtOnce) yield rows.slice(start, start + rowsAtOnce);
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
/** And no more than a mebibyte in all: of a text with too many different words the last ones are not found. */
const mostBytes = 1_000_000;
const bytesOfPlace = 2;
/** The first place, how many there are, and what rounds the word up. */
const bytesBesideWord = 5;

/** Words as PostgreSQL takes them unread: it would split them otherwise than SQLite. */
function searchVector(found: readonly string[]): string {
  const places = new Map<string, number[]>();
  let room = mostBytes;
  for (const [index, word] of found.entries()) {
    const at = places.get(word);
    const place = Math.min(index + 1, lastPlace);
    const isNew = at === undefined;
    if (!isNew && (at.length >= placesOfWord || at.at(-1) === place)) continue;
    const bytes = isNew ? Buffer.byteLength(word) + bytesBesideWord : bytesOfPlace;
    if (bytes > room) continue;
    room -= bytes;
    if (isNew) places.set(word, [place]);
    else at.push(place);
  }
  return [...places].map(([word, at]) => `'${word}':${at.join(',')}`).join(' ');
}
