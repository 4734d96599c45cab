// URI templates: `{x}` is one segment, `{+x}` is the rest, `{/x}` is an optional last segment.
// Matching lives in route-table.ts; here a template is parsed and expanded.
import { LiveError } from '../error.ts';
import { decode, encodeLiteral, encodeRest, encodeSegment } from './uri.ts';

export type Part =
  | { kind: 'literal'; text: string }
  | { kind: 'variable'; name: string }
  | { kind: 'optional'; name: string }
  | { kind: 'rest'; name: string };

/** The parameters of a template, read off its text: `'a://{x}{/y}'` gives `{ x: string; y?: string }`. */
export type Params<T extends string> = string extends T
  ? AnyParams
  : Simplify<
      { [K in Variable<T> as K extends `/${string}` ? never : Name<K>]: string } & {
        [K in Variable<T> as K extends `/${infer N}` ? N : never]?: string;
      }
    >;

type Variable<T extends string> = T extends `${string}{${infer V}}${infer Rest}` ? V | Variable<Rest> : never;
type Name<V extends string> = V extends `+${infer N}` ? N : V;
type Simplify<T> = { [K in keyof T]: T[K] };

/** Parameters when the template is not known to the compiler. */
export type AnyParams = Readonly<Record<string, string | undefined>>;

export class UriTemplate {
  readonly text: string;
  readonly scheme: string;
  readonly parts: readonly Part[];
  readonly names: readonly string[];

  constructor(text: string) {
    const [, scheme, rest] = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s.exec(text) ?? [];
    if (scheme === undefined || rest === undefined) {
      throw new TypeError(`Template "${text}" must start with a scheme, as in "notes://{name}".`);
    }
    this.text = text;
    this.scheme = scheme.toLowerCase();
    this.parts = parseParts(rest, text);
    this.names = this.parts.flatMap((part) => (part.kind === 'literal' ? [] : [part.name]));
    const twice = this.names.find((name, index) => this.names.indexOf(name) !== index);
    if (twice !== undefined) throw new TypeError(`Template "${text}" names {${twice}} twice.`);
  }

  isOptional(name: string): boolean {
    return this.parts.some((part) => part.kind === 'optional' && part.name === name);
  }

  /** The canonical URI for these parameters. */
  expand(params: AnyParams): string {
    let uri = `${this.scheme}:`;
    let separator = '';
    let missing: string | undefined;
    for (const part of this.parts) {
      const value = part.kind === 'literal' ? part.text : valueOf(params, part.name);
      if (part.kind === 'optional' && (value === undefined || value === '')) {
        missing ??= part.name;
        continue;
      }
      if (value === undefined) throw this.#needs('name' in part ? part.name : '');
      // Without it, what follows would stand in its place: another resource's URI.
      if (missing !== undefined) throw this.#needs(missing);
      uri += separator + encoders[part.kind](value);
      separator = '/';
    }
    return uri;
  }

  #needs(name: string): LiveError {
    return new LiveError('INVALID_PARAMS', `"${this.text}" needs a value for "${name}".`);
  }
}

const encoders = { literal: encodeLiteral, variable: encodeSegment, optional: encodeSegment, rest: encodeRest };

/** Not what every object inherits. */
function valueOf(params: AnyParams, name: string): string | undefined {
  return Object.hasOwn(params, name) ? params[name] : undefined;
}

function parseParts(rest: string, template: string): Part[] {
  const parts: Part[] = [];
  // An optional segment brings its own slash; moving it outside makes every part slash-separated.
  for (const segment of rest.replaceAll('{/', '/{/').split(/(?<!\{)\//)) {
    const part = parseSegment(segment, template);
    const previous = parts.at(-1);
    if (previous?.kind === 'rest')
      throw new TypeError(`In template "${template}", {+${previous.name}} must come last.`);
    if (previous?.kind === 'optional' && part.kind !== 'optional') {
      throw new TypeError(`In template "${template}", only optional segments can follow {/${previous.name}}.`);
    }
    parts.push(part);
  }
  return parts;
}

function parseSegment(segment: string, template: string): Part {
  const [, operator, name] = /^\{([+/]?)([A-Za-z_]\w*)\}$/.exec(segment) ?? [];
  if (name !== undefined) {
    if (operator === '+') return { kind: 'rest', name };
    return operator === '' ? { kind: 'variable', name } : { kind: 'optional', name };
  }
  if (/[{}]/.test(segment)) {
    throw new TypeError(
      `In template "${template}", "${segment}" is not supported: a variable is a whole segment, written {name}, {+rest} or {/optional}.`,
    );
  }
  return { kind: 'literal', text: decode(segment, template) };
}
