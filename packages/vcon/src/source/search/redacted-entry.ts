// The redacted text of a vCon, in the form in which it is searched. It is made from the redacted document alone, so
// that no search under that redaction can depend on what it hides.
import type { Json, JsonObject } from '../../model/json.ts';
import { type PartyFields, folded, partyFields, partyText } from '../../model/party-text.ts';
import { searchableText, words } from '../../model/searchable-text.ts';
import { tagsOf } from '../../model/tags.ts';
import { tagKey } from '../search-index.ts';
import { type Criteria, hasParty } from './criteria.ts';

export interface RedactedEntry {
  readonly createdAt: Json;
  readonly subject: Json;
  readonly tags: Readonly<Record<string, string>>;
  /** Subject and parties as `folded` compares them. */
  readonly subjectKey: string;
  readonly partyKey: string;
  readonly parties: readonly PartyFields[];
  /** Every word once, each with a space before and after it. */
  readonly words: string;
}

export function redactedEntry(document: JsonObject): RedactedEntry {
  const { created_at: createdAt = null, subject = null, dialog, analysis } = document;
  const found = new Set(words(searchableText({ head: document, dialog, analysis })));
  return {
    createdAt,
    subject,
    tags: tagsOf(document['attachments']),
    subjectKey: typeof subject === 'string' ? folded(subject) : '',
    partyKey: partyText(document['parties']),
    parties: partyFields(document['parties']),
    words: ` ${[...found].join(' ')} `,
  };
}

/** An estimate of the characters that an entry takes in memory. */
export function entrySize({ createdAt, subject, tags, subjectKey, partyKey, parties, words }: RedactedEntry): number {
  return (
    JSON.stringify([createdAt, subject, tags, parties]).length +
    subjectKey.length +
    partyKey.length +
    words.length +
    200
  );
}

/** Times are compared in SQL: no redaction hides when a vCon was created. */
export function isMetBy(entry: RedactedEntry, criteria: Criteria): boolean {
  const { subject, party, partyFields: wanted, tags = [], words } = criteria;
  if (subject !== undefined && !entry.subjectKey.includes(subject)) return false;
  if (party !== undefined && !party.some((part) => entry.partyKey.includes(part))) return false;
  if (wanted !== undefined && !hasParty(entry.parties, wanted)) return false;
  if (!hasTags(entry, tags)) return false;
  if (words === undefined) return true;
  const { whole, begun } = words;
  if (!whole.every((word) => entry.words.includes(` ${word} `))) return false;
  return begun === undefined || entry.words.includes(` ${begun}`);
}

function hasTags(entry: RedactedEntry, wanted: NonNullable<Criteria['tags']>): boolean {
  if (wanted.length === 0) return true;
  const pairs = Object.entries(entry.tags).map(([key, value]) => `${tagKey(key)}\0${tagKey(value)}`);
  const tags = new Set(pairs);
  return wanted.every(([key, value]) => tags.has(`${key}\0${value}`));
}
