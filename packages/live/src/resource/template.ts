// URI templates, a subset of RFC 6570: `{x}` is a segment or, beside literals, a part of one (`{x}.json`), `{+x}` is
// the rest, `{/x}` an optional last segment, `{?x,y}` the query. This file parses and expands them; route-table.ts
// matches them.
import { shownValue } from '../base/shown-value.ts';
import { expandQuery } from './query.ts';
import type { AnyParams } from './template-params.ts';
import { decode, encodeLiteral, encodeRest, encodeSegment } from './uri.ts';

/** The part of a template between two slashes. */
export type TemplatePart =
  // `text` is compared, `encoded` is written into URIs.
  | { kind: 'literal'; text: string; encoded: string }
  | { kind: 'variable'; name: string; prefix: string; suffix: string }
  | { kind: 'optional'; name: string }
  | { kind: 'rest'; name: string };

export class UriTemplate {
  readonly text: string;
  readonly scheme: string;
  readonly parts: readonly TemplatePart[];
  /** The names in the path, in order. */
  readonly pathNames: readonly string[];
  readonly queryNames: readonly string[];
  readonly names: readonly string[];

  constructor(text: string) {
    const [, scheme, rest] = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s.exec(text) ?? [];
    if (scheme === undefined || rest === undefined) {
      throw new TypeError(`Template "${text}" must start with a scheme, as in "notes://{name}".`);
    }
    assertExpressions(rest, text);
    const [, path = '', query] = /^(.*?)(?:\{\?([^{}]*)\})?$/s.exec(rest) ?? [];
    this.text = text;
    this.scheme = scheme.toLowerCase();
    this.parts = parseParts(path, text);
    this.pathNames = this.parts.flatMap((part) => (part.kind === 'literal' ? [] : [part.name]));
    this.queryNames = query?.split(',') ?? [];
    if (query !== undefined && /[?#]/.test(path)) {
      throw fault(text, `a query is written either as it is or as {?${query}}, not as both.`);
    }
    this.names = [...this.pathNames, ...this.queryNames];
    const twice = this.names.find((name, index) => this.names.indexOf(name) !== index);
    if (twice !== undefined) throw new TypeError(`Template "${text}" names {${twice}} twice.`);
  }

  isOptional(name: string): boolean {
    return this.queryNames.includes(name) || this.parts.some((part) => part.kind === 'optional' && part.name === name);
  }

  /** The canonical URI for these parameters. */
  expand(params: AnyParams): string {
    let uri = `${this.scheme}:`;
    let separator = '';
    let missing: string | undefined;
    for (const part of this.parts) {
      const value = part.kind === 'literal' ? part.text : this.#valueOf(params, part.name);
      if (part.kind === 'optional' && (value === undefined || value === '')) {
        missing ??= part.name;
        continue;
      }
      if (value === undefined) throw this.#needs('name' in part ? part.name : '');
      // If a value in the middle is missing, the next one would take its position, giving another resource's URI.
      if (missing !== undefined) throw this.#needs(missing);
      uri += separator + encoded(part, value);
      separator = '/';
    }
    return uri + expandQuery(this.queryNames, (name) => this.#valueOf(params, name));
  }

  /** Whether there is a URI for these parameters. */
  isComplete(params: AnyParams): boolean {
    try {
      this.expand(params);
      return true;
    } catch {
      return false;
    }
  }

  #needs(name: string): TypeError {
    return new TypeError(`"${this.text}" needs a value for "${name}".`);
  }

  /** Own members only. Plain JavaScript may pass anything, such as a number. */
  #valueOf(params: AnyParams, name: string): string | undefined {
    const value: unknown = Object.hasOwn(params, name) ? params[name] : undefined;
    if (value === undefined || typeof value === 'string') return value;
    throw new TypeError(`"${this.text}" needs a text for "${name}", and got ${shownValue(value)}.`);
  }
}

function encoded(part: TemplatePart, value: string): string {
  if (part.kind === 'literal') return part.encoded;
  if (part.kind === 'rest') return encodeRest(value);
  if (part.kind === 'optional') return encodeSegment(value);
  return encodeLiteral(part.prefix) + encodeSegment(value) + encodeLiteral(part.suffix);
}

const expressionPattern = /\{([^{}]*)\}/g;
const supportedExpression = /^(?:[+/]?[A-Za-z_]\w*|\?[A-Za-z_]\w*(?:,[A-Za-z_]\w*)*)$/;
const forms = 'write {name}, {+rest}, {/optional} or {?query,names}';

function assertExpressions(rest: string, template: string): void {
  if (!rest.isWellFormed()) throw fault(template, 'there is half a surrogate pair.');
  if (/[{}]/.test(rest.replaceAll(expressionPattern, ''))) {
    throw fault(template, 'a brace has no counterpart: write a plain one as %7B or %7D.');
  }
  for (const [whole, expression = ''] of rest.matchAll(expressionPattern)) {
    // `__proto__` cannot be a member of an ordinary object.
    if (!supportedExpression.test(expression) || expression.includes('__proto__'))
      throw fault(template, `${whole} is not supported: ${forms}.`);
    if (expression.startsWith('?') && !rest.endsWith(whole)) throw fault(template, `${whole} must come last.`);
  }
}

function parseParts(path: string, template: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  // An optional segment includes its slash: moving that outside makes all parts separated by slashes.
  for (const segment of path.replaceAll('{/', '/{/').split(/(?<!\{)\//)) {
    const part = parseSegment(segment, template);
    const previous = parts.at(-1);
    if (previous?.kind === 'rest') throw fault(template, `{+${previous.name}} must come last.`);
    if (previous?.kind === 'optional' && part.kind !== 'optional') {
      throw fault(template, `only optional segments can follow {/${previous.name}}.`);
    }
    parts.push(part);
  }
  return parts;
}

function parseSegment(segment: string, template: string): TemplatePart {
  if (!segment.includes('{')) {
    const text = literal(segment, template);
    return { kind: 'literal', text, encoded: encodeLiteral(text) };
  }
  const [, prefix = '', operator, name, suffix = ''] = /^([^{]*)\{([+/]?)(\w+)\}([^{]*)$/.exec(segment) ?? [];
  if (name === undefined) {
    throw fault(template, `"${segment}" has two variables, whose values could not be told apart.`);
  }
  if (operator !== '' && prefix + suffix !== '') {
    throw fault(template, `{${operator}${name}} must be a whole segment, and "${segment}" is more.`);
  }
  if (/[?#]/.test(prefix + suffix)) {
    throw fault(template, `"${segment}" has a query or fragment beside a variable: write a query as {?${name}}.`);
  }
  if (operator === '+') return { kind: 'rest', name };
  if (operator === '/') return { kind: 'optional', name };
  return { kind: 'variable', name, prefix: literal(prefix, template), suffix: literal(suffix, template) };
}

function literal(encoded: string, template: string): string {
  try {
    return decode(encoded, template);
  } catch {
    throw fault(template, `"${encoded}" has a malformed percent-escape: write a plain % as %25.`);
  }
}

function fault(template: string, what: string): TypeError {
  return new TypeError(`In template "${template}", ${what}`);
}
