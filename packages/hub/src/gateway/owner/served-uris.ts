// What one server claims with its lists: URIs, templates and schemes.
import type { Catalog } from '@tidings/track/internal';
import { BoundedMap } from '@tidings/live/portable';
import { type ParsedTemplate, matchesTemplate, parseTemplate, schemeOf } from '@tidings/client/contract';
import { probesOf } from '../../access/pattern/template-reach.ts';

/** The number of steps for one URI that all templates of a server share. */
const mostSteps = 50_000;
/** How many results are cached, for URIs up to this length. */
const mostKept = 20_000;
const longestKept = 512;

export class ServedUris {
  readonly #catalog: Catalog;
  readonly #byScheme = new Map<string, ParsedTemplate[]>();
  readonly #texts: ReadonlySet<string>;
  readonly #schemes: ReadonlySet<string>;
  /** Caches whether a template matches a URI: lists ask for the same URIs repeatedly. */
  readonly #matched = new BoundedMap<string, boolean>(mostKept);

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
    this.#texts = new Set(catalog.templates.map(({ uriTemplate }) => uriTemplate));
    for (const text of this.#texts) {
      const template = parseTemplate(text);
      if (template === undefined) continue;
      const others = this.#byScheme.get(template.scheme);
      if (others) others.push(template);
      else this.#byScheme.set(template.scheme, [template]);
    }
    this.#schemes = new Set([...catalog.resources.keys(), ...this.#texts].map(schemeOf));
  }

  /** Whether the server lists the URI, or has a template for it. */
  serves(uri: string): boolean {
    return this.#catalog.resources.has(uri) || this.#hasTemplateFor(uri);
  }

  hasScheme(scheme: string): boolean {
    return scheme !== '' && this.#schemes.has(scheme);
  }

  hasTemplate(text: string): boolean {
    return this.#texts.has(text);
  }

  /** Whether the server's templates match everything that another template matches. */
  servesAllOf(text: string): boolean {
    const template = parseTemplate(text);
    return template !== undefined && probesOf(template).every((uri) => this.#hasTemplateFor(uri));
  }

  #hasTemplateFor(uri: string): boolean {
    const templates = this.#byScheme.get(schemeOf(uri));
    if (templates === undefined) return false;
    let isMatched = this.#matched.get(uri);
    if (isMatched === undefined) {
      const budget = { steps: mostSteps };
      isMatched = templates.some((template) => matchesTemplate(template, uri, budget));
      if (uri.length <= longestKept) this.#matched.set(uri, isMatched);
    }
    return isMatched;
  }
}
