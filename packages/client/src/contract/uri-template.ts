// URI templates (RFC 6570) as servers list them. They are matched without regular expressions: a server chooses its
// templates, and one such as `{+a}{+b}{+c}!` would take a backtracking matcher exponential time. Matching takes at most
// `parts × length of the URI` steps, and a template or URI over the limits below matches nothing.

const mostTemplateCharacters = 1024;
const mostParts = 64;
const mostUriCharacters = 8192;

/**
 * - `segment`: anything without a slash, as `{x}`; `all`: anything, as `{+x}`
 * - `path`: nothing, or a slash and a segment, up to `times` times, as `{/x}`
 * - `query`: nothing, or the mark and anything, as `{?x}`
 */
export type ListedTemplatePart =
  | { readonly literal: string }
  | { readonly kind: 'segment' | 'all' }
  | { readonly kind: 'path'; readonly times: number }
  | { readonly kind: 'query'; readonly mark: string };

export interface ParsedTemplate {
  readonly text: string;
  /** The scheme with its colon, in lower case. */
  readonly scheme: string;
  readonly parts: readonly ListedTemplatePart[];
}

/** A part of a template as it is written. The names are without a prefix length or an asterisk. */
export type TemplateToken =
  | { readonly literal: string }
  | { readonly operator: string; readonly names: readonly string[]; readonly isExploded: boolean };

/** Undefined if an expression does not end. */
export function templateTokens(text: string): TemplateToken[] | undefined {
  const tokens: TemplateToken[] = [];
  for (let at = 0; at < text.length;) {
    const open = text.indexOf('{', at);
    if (open !== at) tokens.push({ literal: text.slice(at, open === -1 ? text.length : open) });
    if (open === -1) break;
    const close = text.indexOf('}', open);
    if (close === -1) return undefined;
    tokens.push(expressionOf(text.slice(open + 1, close)));
    at = close + 1;
  }
  return tokens;
}

function expressionOf(expression: string): TemplateToken {
  const [operator = ''] = /^[+#./;?&]/.exec(expression) ?? [];
  const names = expression.slice(operator.length).split(',');
  return {
    operator,
    names: names.map((name) => name.trim().replace(/(\*|:\d+)$/, '')),
    isExploded: expression.includes('*'),
  };
}

/** Undefined if the text is not a template, or begins with a variable, since it would match every URI. */
export function parseTemplate(text: string): ParsedTemplate | undefined {
  const tokens = text.length > mostTemplateCharacters ? undefined : templateTokens(text);
  if (tokens === undefined) return undefined;
  const parts: ListedTemplatePart[] = [];
  for (const token of tokens) add(parts, partOf(token));
  const [first] = parts;
  const scheme = first && 'literal' in first ? schemeOf(first.literal) : '';
  return scheme === '' || parts.length > mostParts ? undefined : { text, scheme, parts };
}

/** The scheme with its colon, in lower case; empty if there is none. */
export function schemeOf(text: string): string {
  return (/^[A-Za-z][A-Za-z0-9+.-]*:/.exec(text)?.[0] ?? '').toLowerCase();
}

/** The remaining steps. */
export interface StepBudget {
  steps: number;
}

/** False if the budget is used up. */
export function matchesTemplate({ parts }: ParsedTemplate, uri: string, budget: StepBudget): boolean {
  const [first] = parts;
  if (uri.length > mostUriCharacters) return false;
  if (first && 'literal' in first && !uri.startsWith(first.literal)) return false;
  let ends: readonly number[] = [0];
  for (const part of parts) {
    ends = after(part, ends, uri);
    budget.steps -= ends.length;
    if (ends.length === 0 || budget.steps < 0) return false;
  }
  return ends.at(-1) === uri.length;
}

/** Adds a part; merges adjacent variables that match the same as one of them. */
function add(parts: ListedTemplatePart[], part: ListedTemplatePart): void {
  const previous = parts.at(-1);
  if (previous === undefined || 'literal' in previous || 'literal' in part) parts.push(part);
  else if (previous.kind === 'all') return;
  else if (part.kind === 'all') parts[parts.length - 1] = part;
  else if (previous.kind !== 'segment' || part.kind !== 'segment') parts.push(part);
}

function partOf(token: TemplateToken): ListedTemplatePart {
  if ('literal' in token) return token;
  const { operator, names, isExploded } = token;
  if (operator === '+' || operator === '#') return { kind: 'all' };
  if (operator === '?' || operator === '&') return { kind: 'query', mark: operator };
  if (operator !== '/') return { kind: 'segment' };
  return { kind: 'path', times: isExploded ? mostParts : names.length };
}

/**
 * Positions at which a part that begins at one of `starts` may end: in order, each once. Examines no character twice.
 */
function after(part: ListedTemplatePart, starts: readonly number[], uri: string): number[] {
  if ('literal' in part) {
    return starts.filter((start) => uri.startsWith(part.literal, start)).map((start) => start + part.literal.length);
  }
  switch (part.kind) {
    case 'all':
      return placesFrom(starts[0] ?? uri.length, uri);
    case 'segment':
      return afterSegment(starts, uri);
    case 'query': {
      const first = starts.findIndex((start) => uri[start] === part.mark);
      return first === -1 ? [...starts] : [...starts.slice(0, first), ...placesFrom(starts[first] ?? 0, uri)];
    }
    default:
      return afterPath(starts, uri, part.times);
  }
}

function placesFrom(start: number, uri: string): number[] {
  return Array.from({ length: uri.length + 1 - start }, (_, index) => start + index);
}

function afterSegment(starts: readonly number[], uri: string): number[] {
  const ends: number[] = [];
  for (const start of starts) {
    // An earlier start covers this one.
    if (start <= (ends.at(-1) ?? -1)) continue;
    for (let end = start; end <= uri.length; end += 1) {
      ends.push(end);
      if (uri[end] === '/') break;
    }
  }
  return ends;
}

/** Of the starts before an index, only the last one that is a slash counts: from there the most segments are left. */
function afterPath(starts: readonly number[], uri: string, times: number): number[] {
  const ends: number[] = [];
  /** How many more segments may begin; negative if none has begun. */
  let left = -1;
  let next = 0;
  for (let at = 0; at <= uri.length; at += 1) {
    // Skips to the next start while no segment has begun.
    if (left < 0) at = starts[next] ?? uri.length + 1;
    const isStart = starts[next] === at;
    if (isStart) next += 1;
    if (isStart || left >= 0) ends.push(at);
    if (uri[at] === '/') left = isStart ? times - 1 : left - 1;
  }
  return ends;
}

/** How the values of an expression are written. */
interface ExpressionForm {
  readonly first: string;
  readonly between: string;
  /** Names with an equals sign before the values; `;` leaves the sign out before an empty one. */
  readonly isNamed?: true;
  /** Reserved characters, such as a slash, stay. */
  readonly isReserved?: true;
}

const plainForm: ExpressionForm = { first: '', between: ',' };
const forms: Readonly<Record<string, ExpressionForm>> = {
  '+': { first: '', between: ',', isReserved: true },
  '#': { first: '#', between: ',', isReserved: true },
  '.': { first: '.', between: '.' },
  '/': { first: '/', between: '/' },
  ';': { first: ';', between: ';', isNamed: true },
  '?': { first: '?', between: '&', isNamed: true },
  '&': { first: '&', between: '&', isNamed: true },
};

export function templateVariables(text: string): string[] {
  const names = (templateTokens(text) ?? []).flatMap((token) => ('literal' in token ? [] : token.names));
  return [...new Set(names.filter((name) => name !== ''))];
}

/** Leaves out variables without a value. Prefix lengths do not shorten values. Undefined if the text is not a template. */
export function expandedTemplate(text: string, values: Readonly<Record<string, string>>): string | undefined {
  const tokens = templateTokens(text);
  return tokens?.map((token) => ('literal' in token ? token.literal : expanded(token, values))).join('');
}

function expanded(
  { operator, names }: { operator: string; names: readonly string[] },
  values: Readonly<Record<string, string>>,
): string {
  const form = forms[operator] ?? plainForm;
  const written = names.flatMap((name) => {
    if (!Object.hasOwn(values, name)) return [];
    const value = values[name] ?? '';
    const text = form.isReserved ? encodeURI(value) : encodeURIComponent(value);
    if (!form.isNamed) return [text];
    return [operator === ';' && text === '' ? name : `${name}=${text}`];
  });
  return written.length === 0 ? '' : form.first + written.join(form.between);
}
