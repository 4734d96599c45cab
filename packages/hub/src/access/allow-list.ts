// The `allow` of a token: patterns of the resources it opens.
import { type PatternPart, type UriPattern, patternOf, patternParts } from '@tidings/track';
import type { Template } from './template.ts';
import { overlap, probesOf } from './template-reach.ts';
import { isAmbiguous, readingsOf } from './unambiguous-uri.ts';

/** Stand for `**` and `*` while a pattern is read the way a URI is; no URI that is allowed contains them. */
const placeholders = { '**': '\uFDD0', '*': '\uFDD1' } as const;

export class AllowList {
  readonly #patterns: readonly AllowPattern[];

  constructor(patterns: readonly string[]) {
    this.#patterns = patterns.filter((pattern) => !isUselessPattern(pattern)).map((each) => new AllowPattern(each));
  }

  /** Whether the URI is allowed whichever way the server that has it reads it. */
  opens(uri: string): boolean {
    if (!this.#allowsText(uri) || isAmbiguous(uri)) return false;
    return readingsOf(uri).every(
      (reading, place) => reading === uri || this.#patterns.some((pattern) => pattern.allows(reading, place)),
    );
  }

  /** Whether everything that this template stands for is allowed, as far as a pattern can tell. */
  covers(template: Template): boolean {
    return probesOf(template).every((probe) => this.#allowsText(probe));
  }

  /** Whether a URI that this template stands for may be allowed. */
  touches(template: Template): boolean {
    return this.#patterns.some(({ parts }) => overlap(template.parts, parts));
  }

  #allowsText(text: string): boolean {
    return this.#patterns.some((pattern) => pattern.allows(text, 0));
  }
}

/** A pattern that is ambiguous itself would open nothing, or not what it seems to. */
export function isUselessPattern(pattern: string): boolean {
  return isAmbiguous(pattern.replaceAll('*', 'x'));
}

class AllowPattern {
  readonly parts: readonly PatternPart[];
  readonly #asWritten: UriPattern;
  /** By the way of reading; made when a URI is first read that way. */
  readonly #readings: readonly string[];
  readonly #compiled = new Map<string, UriPattern>();

  constructor(pattern: string) {
    this.parts = patternParts(pattern);
    this.#asWritten = patternOf(this.parts);
    const text = this.parts.map((part) => ('literal' in part ? part.literal : placeholders[part.wildcard])).join('');
    this.#readings = readingsOf(text);
  }

  /** `place` says how the text was read: a server that reads URIs so would read the pattern so, too. */
  allows(text: string, place: number): boolean {
    return this.#asWritten.test(text) || this.#readAs(place).test(text);
  }

  #readAs(place: number): UriPattern {
    const reading = this.#readings[place] ?? '';
    let compiled = this.#compiled.get(reading);
    if (compiled === undefined) this.#compiled.set(reading, (compiled = patternOf(partsOf(reading))));
    return compiled;
  }
}

function partsOf(reading: string): PatternPart[] {
  const texts = reading.split(/([\uFDD0\uFDD1])/).filter((text) => text !== '');
  return texts.map((text) => {
    if (text === placeholders['**']) return { wildcard: '**' };
    return text === placeholders['*'] ? { wildcard: '*' } : { literal: text };
  });
}
