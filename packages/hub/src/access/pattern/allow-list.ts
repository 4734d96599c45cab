// The `allow` of a token: patterns of the resources it may read.
import {
  type ParsedTemplate,
  type PatternPart,
  type UriPattern,
  patternOf,
  patternParts,
} from '@tidings/client/contract';
import { BoundedMap } from '@tidings/live/portable';
import { overlap, probesOf } from './template-reach.ts';
import { distinctReadings, isAmbiguous, isPlain, readingsOf } from './unambiguous-uri.ts';

/** Replace `**` and `*` while a pattern is interpreted like a URI; no allowed URI contains them. */
const placeholders = { '**': '\uFDD0', '*': '\uFDD1' } as const;

/** How many results are cached: lists, events and subscriptions ask for the same URIs repeatedly. */
const mostKept = 20_000;
const longestKept = 512;

export class AllowList {
  readonly #patterns: readonly AllowPattern[];
  readonly #kept = new BoundedMap<string, boolean>(mostKept);

  constructor(patterns: readonly string[]) {
    this.#patterns = patterns.filter((pattern) => !isUselessPattern(pattern)).map((each) => new AllowPattern(each));
  }

  /** Whether the URI is allowed in every interpretation that a server may use. */
  opens(uri: string): boolean {
    let isOpen = this.#kept.get(uri);
    if (isOpen === undefined) {
      isOpen = this.#allowsText(uri) && (isPlain(uri) || this.#allowsEveryReading(uri));
      if (uri.length <= longestKept) this.#kept.set(uri, isOpen);
    }
    return isOpen;
  }

  /** Whether the patterns allow every URI that this template matches, as far as patterns can tell. */
  covers(template: ParsedTemplate): boolean {
    return probesOf(template).every((probe) => this.#allowsText(probe));
  }

  /** Whether the patterns may allow some URI that this template matches. */
  touches(template: ParsedTemplate): boolean {
    return this.#patterns.some(({ parts }) => overlap(template.parts, parts));
  }

  #allowsText(text: string): boolean {
    return this.#patterns.some((pattern) => pattern.allows(text, 0));
  }

  #allowsEveryReading(uri: string): boolean {
    if (isAmbiguous(uri)) return false;
    for (const reading of distinctReadings(uri)) {
      const isAllowed = reading === uri || this.#patterns.some((pattern) => pattern.isMatch(reading));
      if (!isAllowed && !this.#allowsReading(uri, reading)) return false;
    }
    return true;
  }

  /** Whether for each interpretation of the URI, a pattern in the same interpretation allows it. */
  #allowsReading(uri: string, wanted: string): boolean {
    return readingsOf(uri).every(
      (reading, index) => reading !== wanted || this.#patterns.some((pattern) => pattern.allows(reading, index)),
    );
  }
}

/** Whether a pattern is ambiguous: it would match nothing, or other URIs than it seems to. */
export function isUselessPattern(pattern: string): boolean {
  return isAmbiguous(pattern.replaceAll('*', 'x'));
}

class AllowPattern {
  readonly parts: readonly PatternPart[];
  readonly #asWritten: UriPattern;
  /** The pattern in each interpretation; compiled on first use. */
  readonly #readings: readonly string[];
  readonly #compiled = new Map<string, UriPattern>();

  constructor(pattern: string) {
    this.parts = patternParts(pattern);
    this.#asWritten = patternOf(this.parts);
    const text = this.parts.map((part) => ('literal' in part ? part.literal : placeholders[part.wildcard])).join('');
    this.#readings = readingsOf(text);
  }

  /** Whether the pattern, as it is written, matches the text. */
  isMatch(text: string): boolean {
    return this.#asWritten.test(text);
  }

  /**
   * Whether the pattern allows the text. `index`: the interpretation of the text; the pattern is interpreted the same
   * way.
   */
  allows(text: string, index: number): boolean {
    return this.isMatch(text) || this.#readAs(index).test(text);
  }

  #readAs(index: number): UriPattern {
    const reading = this.#readings[index] ?? '';
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
