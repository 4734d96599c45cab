// The parts of a document around the searched words, or its beginning.
import { shortened } from '@tidings/live/portable';
import { leavesOf, textsOf } from '../../model/body.ts';
import { type JsonObject, isList, isObject } from '../../model/json.ts';
import { words } from '../../model/searchable-text.ts';
import { type Words, isAmong } from './criteria.ts';

export interface Snippet {
  /** Such as subject or dialog/0. */
  where: string;
  /** Matched words are marked **like this**. */
  text: string;
}

const mostSnippets = 2;
/** Characters on either side of a match, of the match itself, and of a beginning. */
const around = 80;
const longestMatch = 80;
const beginning = 240;

export function snippetsOf(document: JsonObject, wanted: Words): Snippet[] {
  const isWanted = recogniser(wanted);
  const snippets: Snippet[] = [];
  for (const [where, text] of textsIn(document)) {
    const [first] = matches(text, isWanted);
    if (first !== undefined) snippets.push({ where, text: excerpt(text, first, isWanted) });
    if (snippets.length === mostSnippets) break;
  }
  return snippets;
}

/** The start of the document, for results without matched words. */
export function beginningOf(document: JsonObject): Snippet[] {
  const { subject: _, ...content } = document;
  for (const [where, text] of textsIn(content)) {
    const plain = text.replaceAll(/\s+/g, ' ').trim();
    if (plain !== '') return [{ where, text: shortened(plain, beginning) }];
  }
  return [];
}

function* textsIn(document: JsonObject): Iterable<[where: string, text: string]> {
  for (const text of leavesOf(document['subject'])) yield ['subject', text];
  for (const name of ['dialog', 'analysis']) {
    const list = document[name];
    for (const [index, entry] of (isList(list) ? list : []).entries()) {
      if (isObject(entry)) for (const text of textsOf(entry)) yield [`${name}/${index}`, text];
    }
  }
}

type IsWanted = (text: string) => boolean;

function recogniser(wanted: Words): IsWanted {
  const known = new Map<string, boolean>();
  return (text) => {
    let answer = known.get(text);
    if (answer === undefined) {
      answer = words(text).some((word) => isAmong(wanted, word));
      known.set(text, answer);
    }
    return answer;
  };
}

interface TextSpan {
  start: number;
  end: number;
}

/** One word: a single character in scripts without spaces, letters and digits in a row otherwise. */
const word =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]\p{M}*|[\p{L}\p{N}\p{M}]+/gu;

function* matches(text: string, isWanted: IsWanted): Iterable<TextSpan> {
  for (const { 0: found, index } of text.matchAll(word)) {
    if (isWanted(found)) yield { start: index, end: index + found.length };
  }
}

function excerpt(text: string, first: TextSpan, isWanted: IsWanted): string {
  const start = Math.max(0, first.start - around);
  const end = Math.min(text.length, Math.min(first.end, first.start + longestMatch) + around);
  const shown = cut(text, start, end);
  // Neighbours, as in scripts without spaces, are marked as one.
  const marked = [...matches(shown, isWanted)].reduceRight<string>(
    (rest, span) => `${rest.slice(0, span.start)}**${rest.slice(span.start, span.end)}**${rest.slice(span.end)}`,
    shown,
  );
  const line = marked.replaceAll('****', '').replaceAll(/\s+/g, ' ').trim();
  return `${start > 0 ? '…' : ''}${line}${end < text.length ? '…' : ''}`;
}

/** Does not split surrogate pairs. */
function cut(text: string, start: number, end: number): string {
  return text
    .slice(start, end)
    .replace(/^[\uDC00-\uDFFF]/, '')
    .replace(/[\uD800-\uDBFF]$/, '');
}
