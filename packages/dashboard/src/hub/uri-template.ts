// URI templates of RFC 6570, as far as servers use them: names and operators, without modifiers.
import { type PatternPart, type UriPattern, patternOf } from '@tidings/client/contract';

const expression = /\{([+#./;?&]?)([^{}]*)\}/g;
const leads: Readonly<Record<string, { first: string; between: string; isNamed: boolean; isReserved: boolean }>> = {
  '': { first: '', between: ',', isNamed: false, isReserved: false },
  '+': { first: '', between: ',', isNamed: false, isReserved: true },
  '#': { first: '#', between: ',', isNamed: false, isReserved: true },
  '.': { first: '.', between: '.', isNamed: false, isReserved: false },
  '/': { first: '/', between: '/', isNamed: false, isReserved: false },
  ';': { first: ';', between: ';', isNamed: true, isReserved: false },
  '?': { first: '?', between: '&', isNamed: true, isReserved: false },
  '&': { first: '&', between: '&', isNamed: true, isReserved: false },
};

export function variablesOf(template: string): string[] {
  const names = [...template.matchAll(expression)].flatMap(([, , all = '']) => all.split(',').map(bare));
  return [...new Set(names.filter((name) => name !== ''))];
}

/** Leaves out variables without a value, as the operators define. */
export function expandedTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(expression, (_, operator: string, all: string) => {
    const lead = leads[operator];
    if (lead === undefined) return '';
    const parts = all.split(',').flatMap((each) => {
      const name = bare(each);
      const value = values[name];
      if (value === undefined || value === '') return [];
      const text = lead.isReserved ? encodeURI(value) : encodeURIComponent(value);
      return [lead.isNamed ? `${name}=${text}` : text];
    });
    return parts.length === 0 ? '' : lead.first + parts.join(lead.between);
  });
}

/** Matches URIs of a template. Not a regular expression, which could take forever with many variables. */
export function templatePattern(template: string): UriPattern {
  const parts = template.split(expression);
  // Alternates between text and the operator and names of an expression.
  return patternOf(
    parts.flatMap((part, index): PatternPart[] => {
      if (index % 3 === 0) return [{ literal: part }];
      if (index % 3 === 2) return [];
      return [{ wildcard: part === '+' || part === '#' || part === '/' ? '**' : '*' }];
    }),
  );
}

export interface Begun {
  variable: string;
  /** The text typed so far. */
  value: string;
  /** The text before it. */
  before: string;
}

/** The variable in which an incomplete URI ends; undefined if the template does not match its beginning. */
export function completedTemplate(template: string, uri: string): Begun | undefined {
  const parts = template.split(expression);
  let before = '';
  for (let index = 0; index < parts.length; index += 3) {
    const text = parts[index] ?? '';
    if (!uri.startsWith(text, before.length)) return undefined;
    before += text;
    const [operator, names] = [parts[index + 1], parts[index + 2]];
    if (operator === undefined || names === undefined) return undefined;
    if (operator !== '' && operator !== '+') return undefined;
    const next = parts[index + 3] ?? '';
    const end = next === '' ? -1 : uri.indexOf(next, before.length);
    const typed = end === -1 ? uri.slice(before.length) : uri.slice(before.length, end);
    if (end === -1) return /[/?#]/.test(typed) ? undefined : { variable: bare(names), value: typed, before };
    before += typed;
  }
  return undefined;
}

/** Without a prefix length or an asterisk. */
function bare(name: string): string {
  return name.trim().replace(/(\*|:\d+)$/, '');
}
