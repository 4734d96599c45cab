// Which server a URI belongs to: the first in the order of the configuration that lists it, or has a
// template for it, or at least resources of its scheme.
import { UriTemplate } from '@modelcontextprotocol/client';
import { LiveError } from '@tidings/live';
import type { Catalog, Upstream } from '@tidings/track';
import { type Address, parseAddress } from './address.ts';

export interface Owned extends Address {
  upstream: Upstream;
}

export class Ownership {
  readonly #upstreams: () => Iterable<Upstream>;
  readonly #templates = new WeakMap<Catalog, readonly UriTemplate[]>();
  readonly #schemes = new WeakMap<Catalog, ReadonlySet<string>>();

  constructor(upstreams: () => Iterable<Upstream>) {
    this.#upstreams = upstreams;
  }

  /** Throws where it is nobody's. */
  ownerOf(asked: string): Owned {
    const address = parseAddress(asked);
    if (address) {
      const upstream = this.#named(address.serverId, asked);
      return { serverId: upstream.id, uri: upstream.spelling(address.uri), upstream };
    }
    const upstream =
      this.#first((each) => each.catalog.resources.has(asked)) ??
      this.#first((each) => each.spelling(asked) !== asked) ??
      this.#first(({ catalog }) => this.#templatesOf(catalog).some((template) => matches(template, asked))) ??
      this.#first(({ catalog }) => this.#schemesOf(catalog).has(schemeOf(asked)));
    if (upstream === undefined) throw nobodys(asked);
    // What agents are shown in plain characters the server may call otherwise.
    return { serverId: upstream.id, uri: upstream.spelling(asked), upstream };
  }

  /** Nothing where it is nobody's. */
  find(asked: string): Owned | undefined {
    try {
      return this.ownerOf(asked);
    } catch {
      return undefined;
    }
  }

  /** Who describes a template, under its own text. */
  ownerOfTemplate(text: string): Upstream | undefined {
    return this.#first(({ catalog }) => catalog.templates.some(({ uriTemplate }) => uriTemplate === text));
  }

  /** Whether the plain URI leads to this server, or to one before it. */
  isFirst(upstream: Upstream, uri: string): boolean {
    return this.#first(({ catalog }) => catalog.resources.has(uri)) === upstream;
  }

  #named(id: string, asked: string): Upstream {
    const upstream = this.#first((each) => each.id === id);
    if (upstream) return upstream;
    // Without saying which there are: some may be none of the caller's business.
    const message = `There is no server "${id}" here: list the resources, or the hub's servers, to see what there is.`;
    throw new LiveError('RESOURCE_NOT_FOUND', message, asked);
  }

  #first(is: (upstream: Upstream) => boolean): Upstream | undefined {
    for (const upstream of this.#upstreams()) if (is(upstream)) return upstream;
    return undefined;
  }

  /** Whoever asks for what is not there asks all of them. */
  #schemesOf(catalog: Catalog): ReadonlySet<string> {
    let schemes = this.#schemes.get(catalog);
    if (schemes === undefined) {
      const { resources, templates } = catalog;
      const texts = [...resources.keys(), ...templates.map(({ uriTemplate }) => uriTemplate)];
      schemes = new Set(texts.map(schemeOf));
      this.#schemes.set(catalog, schemes);
    }
    return schemes;
  }

  #templatesOf(catalog: Catalog): readonly UriTemplate[] {
    let parsed = this.#templates.get(catalog);
    if (parsed === undefined) {
      parsed = catalog.templates.flatMap(({ uriTemplate }) => parsedTemplate(uriTemplate));
      this.#templates.set(catalog, parsed);
    }
    return parsed;
  }
}

/** What a server calls a template may be none. */
function parsedTemplate(text: string): UriTemplate[] {
  try {
    return [new UriTemplate(text)];
  } catch {
    return [];
  }
}

function matches(template: UriTemplate, uri: string): boolean {
  try {
    return template.match(uri) !== null;
  } catch {
    return false;
  }
}

function schemeOf(uri: string): string {
  return (/^[A-Za-z][A-Za-z0-9+.-]*:/.exec(uri)?.[0] ?? '').toLowerCase();
}

function nobodys(uri: string): LiveError {
  if (schemeOf(uri) === '') {
    return new LiveError('INVALID_URI', 'A resource URI starts with a scheme, as in "notes://today".', uri);
  }
  return new LiveError('INVALID_URI', `None of the servers here has "${schemeOf(uri)}" resources.`, uri);
}
