// The text of the parties that searches compare with.
import { isList, isObject, type Json } from './json.ts';
import { plain } from './searchable-text.ts';

/** Every text of every party, one per line; phone numbers a second time as bare digits. */
export function partyText(parties: Json | undefined): string {
  if (!isList(parties)) return '';
  const texts = new Set<string>();
  for (const party of parties) addFindable(texts, party);
  return [...texts].join('\n');
}

/** The party fields that can be searched individually. */
export const partyFieldNames = ['name', 'mailto', 'tel'] as const;
export type PartyFields = Readonly<Record<(typeof partyFieldNames)[number], string>>;

/** The fields of each party that can be searched. */
export function partyFields(parties: Json | undefined): PartyFields[] {
  if (!isList(parties)) return [];
  return parties.filter(isObject).map((party) => {
    const textOf = (name: keyof PartyFields) => partyText([party[name] ?? '']);
    return { name: textOf('name'), mailto: textOf('mailto'), tel: textOf('tel') };
  });
}

function addFindable(texts: Set<string>, value: Json): void {
  if (typeof value === 'number') texts.add(String(value));
  else if (typeof value === 'string') {
    const text = folded(value);
    if (text === '') return;
    texts.add(text);
    const digits = digitsOf(value);
    if (digits !== undefined) texts.add(digits);
  } else if (isList(value)) for (const item of value) addFindable(texts, item);
  else if (isObject(value)) {
    for (const [name, item] of Object.entries(value)) if (name !== 'validation') addFindable(texts, item);
  }
}

/** Normalised phone number (`tel:+1 (555) 12-34` is `+15551234`); undefined for other text. */
function digitsOf(text: string): string | undefined {
  const [, number] = /^\s*(?:tel:)?(\+?[\d\s().\-/]+)$/i.exec(text) ?? [];
  const digits = number?.replaceAll(/[^\d+]/g, '') ?? '';
  return digits.length >= 3 ? digits : undefined;
}

/** Folds text for such searches: without case, accents, width and runs of spaces. */
export function folded(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) {
    const lower = text.toLowerCase().trim();
    return lower.includes('  ') ? lower.replaceAll(/ {2,}/g, ' ') : lower;
  }
  return plain(text.replaceAll('\0', ' ').replaceAll(/\p{Cs}/gu, ''))
    .replaceAll(/\s+/g, ' ')
    .trim();
}
