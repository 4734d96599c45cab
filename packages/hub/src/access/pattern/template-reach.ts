// Compares a template with a pattern: whether some URI matches both, and whether the pattern matches everything that
// the template matches.
import type { ListedTemplatePart, ParsedTemplate, PatternPart } from '@tidings/client/contract';

/** One character, or a wildcard; `segment` matches no slash. */
type Token = string | { readonly any: 'all' | 'segment' };

/** Whether some text matches both. Takes at most the product of their lengths in steps. */
export function overlap(template: readonly ListedTemplatePart[], pattern: readonly PatternPart[]): boolean {
  const ours = pattern.flatMap((part): Token[] =>
    'literal' in part ? part.literal.split('') : [{ any: part.wildcard === '**' ? 'all' : 'segment' }],
  );
  const theirs = template.flatMap(tokensOf);
  // From the end: for each position in `ours`, whether the rests of both match a common text.
  let next: boolean[] = [];
  for (let i = theirs.length; i >= 0; i -= 1) {
    const row: boolean[] = [];
    for (let j = ours.length; j >= 0; j -= 1) {
      const [a, b] = [theirs[i], ours[j]];
      if (a === undefined && b === undefined) row[j] = true;
      else if (typeof a === 'string' && typeof b === 'string') row[j] = a === b && next[j + 1] === true;
      else row[j] = (canPass(a, b) && next[j] === true) || (canPass(b, a) && row[j + 1] === true);
    }
    next = row;
  }
  return next[0] === true;
}

/** Whether `token` can be passed while `other` stays: it matches the empty text, or `other` matches it too. */
function canPass(token: Token | undefined, other: Token | undefined): boolean {
  if (token === undefined) return false;
  if (typeof token !== 'string') return true;
  return other !== undefined && typeof other !== 'string' && (other.any === 'all' || token !== '/');
}

function tokensOf(part: ListedTemplatePart): Token[] {
  if ('literal' in part) return part.literal.split('');
  return [{ any: part.kind === 'segment' ? 'segment' : 'all' }];
}

/** A character that no pattern has as a literal, so only a wildcard matches it. */
const filler = '\u{F0000}';

/** The shortest and the most general texts of a template: a pattern that matches these matches all of it. */
export function probesOf({ parts }: ParsedTemplate): string[] {
  const fill = (values: Record<'segment' | 'all' | 'path' | 'query', string>) =>
    parts.map((part) => ('literal' in part ? part.literal : values[part.kind])).join('');
  return [
    fill({ segment: filler, all: filler, path: '', query: '' }),
    fill({ segment: filler, all: `${filler}/${filler}/${filler}`, path: `/${filler}`, query: `?${filler}/${filler}` }),
  ];
}
