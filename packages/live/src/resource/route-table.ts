// Finds the route of a URI. A tree of segments: literals before variables before the rest, so the
// most specific route wins, and two routes that would match the same URIs are refused.
import { LiveError } from '../error.ts';
import type { AnyParams, Part, UriTemplate } from './template.ts';
import { decode, splitUri } from './uri.ts';

export interface Match<Route> {
  route: Route;
  params: AnyParams;
  /** The one spelling under which this resource is known inside. */
  canonical: string;
}

interface MatchOptions {
  ignoreTrailingSlash?: boolean;
}

interface Leaf<Route> {
  template: UriTemplate;
  route: Route;
  /** Gives the canonical URI: the template itself, or that of which it is an alias. */
  canonical: UriTemplate;
}

interface Node<Route> {
  literals: Map<string, Node<Route>>;
  variable: Node<Route> | undefined;
  leaf: Leaf<Route> | undefined;
  /** A route whose `{+rest}` starts here. */
  rest: Leaf<Route> | undefined;
}

export class RouteTable<Route> {
  readonly #schemes = new Map<string, Node<Route>>();

  add(template: UriTemplate, route: Route, canonical = template): void {
    try {
      this.#place(template, { template, route, canonical });
    } catch (error) {
      this.remove(template);
      throw error;
    }
  }

  #place(template: UriTemplate, leaf: Leaf<Route>): void {
    let node = this.#schemes.get(template.scheme);
    if (node === undefined) this.#schemes.set(template.scheme, (node = newNode()));
    for (const part of template.parts) {
      if (part.kind === 'rest') {
        node.rest = place(node.rest, leaf);
        return;
      }
      // The URI may end before an optional segment.
      if (part.kind === 'optional') node.leaf = place(node.leaf, leaf);
      node = child(node, part);
    }
    node.leaf = place(node.leaf, leaf);
  }

  remove(template: UriTemplate): void {
    let node = this.#schemes.get(template.scheme);
    for (const part of template.parts) {
      if (node?.leaf?.template === template) node.leaf = undefined;
      if (node?.rest?.template === template) node.rest = undefined;
      node = part.kind === 'literal' ? node?.literals.get(part.text) : node?.variable;
    }
    if (node?.leaf?.template === template) node.leaf = undefined;
  }

  /** The route of this URI; throws INVALID_URI or RESOURCE_NOT_FOUND where there is none. */
  match(uri: string, options: MatchOptions = {}): Match<Route> {
    const split = splitUri(uri);
    const root = this.#schemes.get(split.scheme);
    if (root === undefined) {
      throw new LiveError('INVALID_URI', `This server has no "${split.scheme}:" resources.`, uri);
    }
    const found = this.#find(root, split.segments, uri, options);
    if (found === undefined) throw new LiveError('RESOURCE_NOT_FOUND', 'No such resource.', uri);
    return found;
  }

  /** The same for text that may be no URI at all. */
  find(text: string, options: MatchOptions = {}): Match<Route> | undefined {
    const end = text.indexOf(':');
    const root = end === -1 ? undefined : this.#schemes.get(text.slice(0, end).toLowerCase());
    if (root === undefined) return undefined;
    try {
      return this.#find(root, text.slice(end + 1).split('/'), text, options);
    } catch (error) {
      if (error instanceof LiveError) return undefined;
      throw error;
    }
  }

  #find(
    root: Node<Route>,
    segments: string[],
    uri: string,
    { ignoreTrailingSlash = false }: MatchOptions,
  ): Match<Route> | undefined {
    const values: string[] = [];
    let leaf = descend(root, segments, 0, values, uri);
    // What ends in a slash may be a resource of that very name, which then comes first.
    if (leaf === undefined && ignoreTrailingSlash && segments.at(-1) === '') {
      values.length = 0;
      leaf = descend(root, segments.slice(0, -1), 0, values, uri);
    }
    if (leaf === undefined) return undefined;
    const params: Record<string, string> = {};
    let isShort = false;
    for (const [index, value] of values.entries()) {
      const name = leaf.template.names[index];
      if (name === undefined) continue;
      // `recent/` is `recent`: an optional segment with nothing in it is not there. Another cannot follow it.
      const isAbsent = value === '' && leaf.template.isOptional(name);
      if (isShort && !isAbsent) return undefined;
      if (isAbsent) isShort = true;
      else params[name] = value;
    }
    return { route: leaf.route, params, canonical: leaf.canonical.expand(params) };
  }
}

function descend<Route>(
  node: Node<Route>,
  segments: string[],
  at: number,
  values: string[],
  uri: string,
): Leaf<Route> | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.leaf;

  const literal = node.literals.get(decode(segment, uri));
  const exact = literal && descend(literal, segments, at + 1, values, uri);
  if (exact) return exact;

  const depth = values.length;
  if (node.variable && !/[?#]/.test(segment)) {
    values.push(decode(segment, uri));
    const found = descend(node.variable, segments, at + 1, values, uri);
    if (found) return found;
    values.length = depth;
  }
  if (node.rest) values.push(decode(segments.slice(at).join('/'), uri));
  return node.rest;
}

function newNode<Route>(): Node<Route> {
  return { literals: new Map(), variable: undefined, leaf: undefined, rest: undefined };
}

function child<Route>(node: Node<Route>, part: Part): Node<Route> {
  if (part.kind !== 'literal') return (node.variable ??= newNode());
  let next = node.literals.get(part.text);
  if (next === undefined) node.literals.set(part.text, (next = newNode()));
  return next;
}

function place<Route>(taken: Leaf<Route> | undefined, leaf: Leaf<Route>): Leaf<Route> {
  if (taken !== undefined) {
    throw new TypeError(`Templates "${taken.template.text}" and "${leaf.template.text}" match the same URIs.`);
  }
  return leaf;
}
