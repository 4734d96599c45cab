// How far a template and a pattern reach: whether some URI belongs to both, and whether the pattern takes in
// everything that the template stands for.
import type { PatternPart } from '@tidings/track/contract';
import type { Template, TemplatePart } from './template.ts';

/** One character, or any number of them; `segment` without slashes. */
type Token = string | { readonly any: 'all' | 'segment' };

/** Whether some text matches both. Costs at most the one's length times the other's. */
export function overlap(template: readonly TemplatePart[], pattern: readonly PatternPart[]): boolean {
  const ours = pattern.flatMap((part): Token[] =>
    'literal' in part ? part.literal.split('') : [{ any: part.wildcard === '**' ? 'all' : 'segment' }],
  );
  const theirs = template.flatMap(tokensOf);
  // From the end: whether what is left of both has a text in common, for each place in `ours`.
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

/** Whether `token` can be left behind while `other` stays: it stands for nothing, or `other` stands for it, too. */
function canPass(token: Token | undefined, other: Token | undefined): boolean {
  if (token === undefined) return false;
  if (typeof token !== 'string') return true;
  return other !== undefined && typeof other !== 'string' && (other.any === 'all' || token !== '/');
}

function tokensOf(part: TemplatePart): Token[] {
  if ('literal' in part) return part.literal.split('');
  return [{ any: part.kind === 'segment' ? 'segment' : 'all' }];
}

/** No pattern has it as a literal, so that only a wildcard can stand for it. */
const filler = '\u{F0000}';

/** What a template stands for at least and at most: a pattern that matches these takes in all of it. */
export function probesOf({ parts }: Template): string[] {
  const fill = (values: Record<'segment' | 'all' | 'path' | 'query', string>) =>
    parts.map((part) => ('literal' in part ? part.literal : values[part.kind])).join('');
  return [
    fill({ segment: filler, all: filler, path: '', query: '' }),
    fill({ segment: filler, all: `${filler}/${filler}/${filler}`, path: `/${filler}`, query: `?${filler}/${filler}` }),
  ];
}
