// The index of a vCon for searches: its words and its tags.
import { digestOf } from '@tidings/live/internal';
import type { Accepted } from '../model/accept.ts';
import { isAscii, searchableText, words, wordsInOrder } from '../model/searchable-text.ts';
import { tagPairs } from '../model/tags.ts';
import type { VconEngine, VconWriting } from './tables.ts';

/** The words of a vCon as the engine keeps them. */
export function keptWords(engine: VconEngine, { head, content }: Pick<Accepted, 'head' | 'content'>): string {
  const text = searchableText({ head, dialog: content['dialog'], analysis: content['analysis'] });
  return engine === 'sqlite' ? wordsInOrder(text) : searchVector(words(text));
}

export interface Tag {
  key: string;
  value: string;
}

export function tagEntries({ content }: Pick<Accepted, 'content'>): Tag[] {
  const entries = new Map<string, Tag>();
  for (const [name, value] of tagPairs(content['attachments'])) {
    const key = tagKey(name);
    entries.set(key, { key, value: tagKey(value) });
  }
  return [...entries.values()];
}

export async function unindexVcon({ db }: VconWriting, id: number): Promise<void> {
  await db.deleteFrom('vcon_words').where('rowid', '=', id).execute();
  await db.deleteFrom('tag').where('vcon_id', '=', id).execute();
}

/** The form of a tag's key or value in the index: engines refuse some characters, and index no long texts. */
export function tagKey(text: string): string {
  if (text.length <= longestTag && isAscii(text) && !text.includes('\0')) return text;
  const plain = text.replaceAll('\0', '').toWellFormed();
  if (plain.length <= longestTag) return plain;
  return `${plain.slice(0, longestTag)}…${digestOf(text)}`;
}
const longestTag = 200;

/** PostgreSQL's limits for positions in a text, and for positions of one word. */
const lastPlace = 16_383;
const placesOfWord = 255;
/** PostgreSQL's limit is one mebibyte: of a text with too many different words, the last ones are not indexed. */
const mostBytes = 1_000_000;
const bytesOfPlace = 2;
/** The bytes of the first position, the count and the alignment of a word. */
const bytesBesideWord = 5;

/** A literal search vector: PostgreSQL would split text differently from SQLite. */
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
