// The text that a search by words covers, and the words of a text.
import { leavesOf, textsOf } from './body.ts';
import { isList, isObject, type Json, type JsonObject } from './json.ts';

const mostCharacters = 400_000;
const longestWord = 64;

/** The subject, the dialogs and the analyses, one text per line. */
export function searchableText(parts: {
  head: JsonObject;
  dialog: Json | undefined;
  analysis: Json | undefined;
}): string {
  const texts: string[] = [];
  let room = mostCharacters;
  const add = (some: readonly string[]) => {
    for (const text of some) {
      if (room <= 0) return;
      texts.push(text.slice(0, room));
      room -= text.length + 1;
    }
  };
  add(leavesOf(parts.head['subject']));
  for (const list of [parts.dialog, parts.analysis]) {
    if (!isList(list)) continue;
    for (const entry of list) if (room > 0 && isObject(entry)) add(textsOf(entry));
  }
  return texts.join('\n').replaceAll('\0', ' ').toWellFormed();
}

/** Letters and digits in a row. */
const wordPattern = /[\p{L}\p{N}]+/gu;
/** Scripts that put no space between words. */
const unspaced = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]+/u;
const unspacedParts = new RegExp(`(${unspaced.source})`, 'u');

/**
 * The words as they are compared: without case, accents and width. Where a script does not part them, every
 * character and every two neighbours count as one, so that whatever stands in a text is found in it.
 */
export function words(text: string): string[] {
  const simple = plain(text);
  if (isAscii(simple)) return (simple.match(/[a-z0-9]+/g) ?? []).map(cut);
  const runs: string[] = simple.match(wordPattern) ?? [];
  // Most texts contain none of these scripts, so this skips the test of each word.
  if (!unspaced.test(simple)) return runs.map(cut);
  return runs.flatMap((run) => {
    if (!unspaced.test(run)) return [cut(run)];
    return run.split(unspacedParts).flatMap((part) => {
      if (part === '') return [];
      return unspaced.test(part) ? charactersAndPairs(part) : [cut(part)];
    });
  });
}

/** The words in order, for an index that splits text at everything except letters and digits. */
export function wordsInOrder(text: string): string {
  const simple = plain(text);
  return isAscii(simple) && !hasLongWord(simple) ? simple : words(text).join(' ');
}

/**
 * Tests few characters: the one at `longestWord` + 1 after the last gap between words, and those before it back to the
 * next gap. Only in a word that is too long is there no gap among them.
 */
function hasLongWord(ascii: string): boolean {
  for (let last = longestWord; last < ascii.length; last += longestWord + 1) {
    const end = last;
    while (end - last <= longestWord && isLetterOrDigit(ascii.charCodeAt(last))) last -= 1;
    if (end - last > longestWord) return true;
  }
  return false;
}

/** For lower-case ASCII. */
function isLetterOrDigit(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
}

/** Without accents, in lower case; a final sigma is a sigma. */
export function plain(text: string): string {
  // Most texts have nothing to fold but case.
  if (isAscii(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ς', 'σ');
}

/** Whether all characters are ASCII: any other takes more than one byte. */
export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

function charactersAndPairs(run: string): string[] {
  const characters = Array.from(run);
  return characters.flatMap((character, index) => {
    const next = characters[index + 1];
    return next === undefined ? [character] : [character, character + next];
  });
}

function cut(word: string): string {
  return word.length > longestWord ? Array.from(word).slice(0, longestWord).join('') : word;
}
