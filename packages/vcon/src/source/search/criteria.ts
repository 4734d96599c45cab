// The criteria of a search. The engines and the search in redacted documents follow the same rules.
import { momentOf } from '../../model/moment.ts';
import { type PartyFields, folded, partyFieldNames, partyText } from '../../model/party-text.ts';
import { words } from '../../model/searchable-text.ts';
import { tagKey } from '../search-index.ts';
import { invalidParams } from '../../model/invalid-params.ts';

export interface Criteria {
  /** Text that the subject must contain. */
  readonly subject?: string | undefined;
  /** Texts; at least one must occur in a field of a party. */
  readonly party?: readonly string[] | undefined;
  /** The same for single fields; one party must match all of them. */
  readonly partyFields?: PartyNeedles | undefined;
  /** First and last moment, in microseconds since the epoch. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly tags?: readonly (readonly [key: string, value: string])[] | undefined;
  readonly words?: Words | undefined;
}

export type WordCriteria = Criteria & { readonly words: Words };

/** For each field, texts of which at least one must be part of it. */
type PartyNeedles = Readonly<Partial<Record<keyof PartyFields, readonly string[]>>>;

/** All must occur. */
export interface Words {
  readonly whole: readonly string[];
  /** For this word, a prefix match is enough. */
  readonly begun: string | undefined;
}

interface SearchCriteria {
  subject?: string | undefined;
  party?: string | undefined;
  party_name?: string | undefined;
  party_email?: string | undefined;
  party_tel?: string | undefined;
  start_date?: string | undefined;
  end_date?: string | undefined;
  tags?: Readonly<Record<string, string>> | undefined;
  /** Words. */
  query?: string | undefined;
}

export function criteriaOf(wanted: SearchCriteria): Criteria {
  const { start_date: from, end_date: to, tags = {} } = wanted;
  return {
    subject: folded(wanted.subject ?? '') || undefined,
    // A phone number is searched as written and by its digits.
    party: needlesOf(wanted.party),
    partyFields: partyNeedles(wanted),
    from: from === undefined ? undefined : momentIn(from, 'start_date', 0),
    to: to === undefined ? undefined : momentIn(to, 'end_date', dayLength - 1),
    tags: Object.entries(tags).map(([key, value]) => [tagKey(key.trim()), tagKey(value.trim())]),
    words: wanted.query === undefined ? undefined : wordsOf(wanted.query),
  };
}

function partyNeedles({ party_name, party_email, party_tel }: SearchCriteria): PartyNeedles | undefined {
  const wanted = { name: needlesOf(party_name), mailto: needlesOf(party_email), tel: needlesOf(party_tel) };
  const given = Object.entries(wanted).filter(([, needles]) => needles !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/** Whether one party matches all requested fields. */
export function hasParty(parties: readonly PartyFields[], wanted: PartyNeedles): boolean {
  return parties.some((party) =>
    partyFieldNames.every((name) => wanted[name]?.some((part) => party[name].includes(part)) ?? true),
  );
}

/** A generous limit: each word is a lookup in the index. */
const mostWords = 50;

/** Shorter prefixes match too many words. */
const shortestBeginning = 3;

/** The last word is matched by prefix: it may be incomplete, or have another ending. */
export function wordsOf(query: string): Words {
  const found = words(query);
  const last = found.at(-1);
  if (last === undefined) throw invalidParams('There is no word in the query: give at least one letter or digit.');
  const begun = last.length >= shortestBeginning ? last : undefined;
  const whole = [...new Set(found)].filter((word) => word !== begun);
  if (whole.length >= mostWords) throw invalidParams(`The query has too many words: give at most ${mostWords}.`);
  return { whole, begun };
}

export function isAmong({ whole, begun }: Words, word: string): boolean {
  return whole.includes(word) || (begun !== undefined && word.startsWith(begun));
}

function needlesOf(wanted: string | undefined): readonly string[] | undefined {
  const text = partyText([wanted ?? '']);
  return text === '' ? undefined : text.split('\n');
}

const dayLength = 86_400_000_000;

/** A day counts from its beginning to its end, in UTC. */
function momentIn(text: string, name: string, restOfDay: number): number {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text.trim());
  const moment = momentOf(isDay ? `${text.trim()}T00:00:00Z` : text.trim());
  if (moment === undefined) {
    throw invalidParams(`${name} is not a time: write it as 2025-10-14 or 2025-10-14T10:30:00Z.`);
  }
  return isDay ? moment + restOfDay : moment;
}
