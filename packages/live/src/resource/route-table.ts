// Finds the route of a URI in a tree of segments. The most specific route wins: literals, then variables beside
// literals (more literal text first), then plain variables, then the rest. Two routes that would match the same URIs
// are refused. No node is visited more than twice (with and without the query).
import { LiveError } from '../base/error.ts';
import { parseQuery } from './query.ts';
import type { AnyParams } from './template-params.ts';
import type { TemplatePart, UriTemplate } from './template.ts';
import { decode, splitUri } from './uri.ts';

export interface Match<Route> {
  route: Route;
  params: AnyParams;
  /** The spelling under which the resource is indexed. */
  canonical: string;
}

interface MatchOptions {
  ignoreTrailingSlash?: boolean;
}

interface Leaf<Route> {
  template: UriTemplate;
  route: Route;
  /** The template of canonical URIs: the route's own, or the one that it is an alias of. */
  canonical: UriTemplate;
}

interface Node<Route> {
  literals: Map<string, Node<Route>>;
  /** In the order in which they are tried; the last may be one without prefix and suffix. */
  variables: { prefix: string; suffix: string; node: Node<Route> }[];
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
      node = childOf(node, part) ?? newChild(node, part);
    }
    node.leaf = place(node.leaf, leaf);
  }

  remove(template: UriTemplate): void {
    let node = this.#schemes.get(template.scheme);
    for (const part of template.parts) {
      if (node?.leaf?.template === template) node.leaf = undefined;
      if (node?.rest?.template === template) node.rest = undefined;
      node = node && childOf(node, part);
    }
    if (node?.leaf?.template === template) node.leaf = undefined;
  }

  /** The route of this URI; throws INVALID_URI or RESOURCE_NOT_FOUND. */
  match(uri: string, options: MatchOptions = {}): Match<Route> {
    const split = splitUri(uri);
    const root = this.#schemes.get(split.scheme);
    if (root === undefined) {
      throw new LiveError('INVALID_URI', `This server has no "${split.scheme}:" resources.`, uri);
    }
    const found = find(root, split.segments, uri, options);
    if (found === undefined) throw new LiveError('RESOURCE_NOT_FOUND', 'No such resource.', uri);
    return found;
  }

  /** As `match`, but returns undefined for a text without a route. */
  find(text: string, options: MatchOptions = {}): Match<Route> | undefined {
    const end = text.indexOf(':');
    const root = end === -1 ? undefined : this.#schemes.get(text.slice(0, end).toLowerCase());
    if (root === undefined) return undefined;
    try {
      return find(root, text.slice(end + 1).split('/'), text, options);
    } catch (error) {
      if (error instanceof LiveError) return undefined;
      throw error;
    }
  }
}

function find<Route>(
  root: Node<Route>,
  segments: string[],
  uri: string,
  { ignoreTrailingSlash = false }: MatchOptions,
): Match<Route> | undefined {
  const sought = soughtIn(segments, uri);
  const found = matchOf(root, sought);
  // A resource whose own name ends in a slash comes first.
  if (found !== undefined || !ignoreTrailingSlash) return found;
  const shorter = withoutTrailingSlash(sought);
  return shorter && matchOf(root, shorter);
}

/** The URI to find. */
interface Sought {
  readonly uri: string;
  readonly segments: readonly string[];
  readonly query: SoughtQuery | undefined;
}

/** The query of a URI, for templates that end in one. To other templates a query is ordinary text. */
interface SoughtQuery {
  /** The segment in which the query begins, and the text before it. */
  readonly at: number;
  readonly before: string;
  readonly values: ReadonlyMap<string, string> | undefined;
}

function soughtIn(segments: readonly string[], uri: string): Sought {
  const at = uri.includes('?') ? segments.findIndex((segment) => segment.includes('?')) : -1;
  if (at === -1) return { uri, segments, query: undefined };
  const rest = segments.slice(at).join('/');
  const end = rest.indexOf('?');
  return { uri, segments, query: { at, before: rest.slice(0, end), values: parseQuery(rest.slice(end + 1), uri) } };
}

function withoutTrailingSlash({ uri, segments, query }: Sought): Sought | undefined {
  if (query === undefined) {
    return segments.at(-1) === '' ? { uri, query, segments: segments.slice(0, -1) } : undefined;
  }
  const { at, before, values } = query;
  const previous = segments[at - 1];
  if (before !== '' || previous === undefined) return undefined;
  return { uri, segments: segments.slice(0, at), query: { at: at - 1, before: previous, values } };
}

function matchOf<Route>(root: Node<Route>, sought: Sought): Match<Route> | undefined {
  const values: string[] = [];
  const leaf = descend(root, sought, 0, values);
  if (leaf === undefined) return undefined;
  const { template } = leaf;
  const params: Record<string, string> = {};
  let isShort = false;
  for (const [index, value] of values.entries()) {
    const name = template.pathNames[index];
    if (name === undefined) continue;
    // `recent/` means `recent`: an empty optional segment counts as absent. No other can follow it.
    const isAbsent = value === '' && template.isOptional(name);
    if (isShort && !isAbsent) return undefined;
    if (isAbsent) isShort = true;
    else params[name] = value;
  }
  for (const name of template.queryNames) {
    const value = sought.query?.values?.get(name);
    if (value !== undefined) params[name] = value;
  }
  return { route: leaf.route, params, canonical: leaf.canonical.expand(params) };
}

/** Adds the values of the path's variables to `values`. */
function descend<Route>(node: Node<Route>, sought: Sought, at: number, values: string[]): Leaf<Route> | undefined {
  const { uri, segments, query } = sought;
  const segment = segments[at];
  if (segment === undefined) return node.leaf;

  const literal = node.literals.get(decode(segment, uri));
  const exact = literal && descend(literal, sought, at + 1, values);
  if (exact) return exact;

  const isLast = at === query?.at;
  const text = isLast ? query.before : segment;
  const follow = (child: Node<Route>) =>
    isLast ? withQuery(child.leaf, query) : descend(child, sought, at + 1, values);
  if (!/[?#]/.test(text)) {
    const value = decode(text, uri);
    const beforeQuery = isLast ? node.literals.get(value) : undefined;
    const found = (beforeQuery && follow(beforeQuery)) ?? descendVariables(node, value, values, follow);
    if (found) return found;
  }
  return restOf(node, sought, at, values);
}

function descendVariables<Route>(
  node: Node<Route>,
  value: string,
  values: string[],
  follow: (child: Node<Route>) => Leaf<Route> | undefined,
): Leaf<Route> | undefined {
  const depth = values.length;
  for (const { prefix, suffix, node: child } of node.variables) {
    if (value.length < prefix.length + suffix.length || !value.startsWith(prefix) || !value.endsWith(suffix)) continue;
    values.push(value.slice(prefix.length, value.length - suffix.length));
    const found = follow(child);
    if (found) return found;
    values.length = depth;
  }
  return undefined;
}

function restOf<Route>(
  { rest }: Node<Route>,
  { uri, segments, query }: Sought,
  at: number,
  values: string[],
): Leaf<Route> | undefined {
  if (rest === undefined) return undefined;
  if (query === undefined || rest.template.queryNames.length === 0) {
    values.push(decode(segments.slice(at).join('/'), uri));
    return rest;
  }
  if (!withQuery(rest, query)) return undefined;
  values.push(decode([...segments.slice(at, query.at), query.before].join('/'), uri));
  return rest;
}

/** The leaf, if its template has all names of the query. */
function withQuery<Route>(leaf: Leaf<Route> | undefined, { values }: SoughtQuery): Leaf<Route> | undefined {
  const { queryNames = [] } = leaf?.template ?? {};
  const fits = queryNames.length > 0 && values && [...values.keys()].every((name) => queryNames.includes(name));
  return fits ? leaf : undefined;
}

function newNode<Route>(): Node<Route> {
  return { literals: new Map(), variables: [], leaf: undefined, rest: undefined };
}

function affixesOf(part: Exclude<TemplatePart, { kind: 'literal' }>): { prefix: string; suffix: string } {
  return part.kind === 'variable' ? part : { prefix: '', suffix: '' };
}

function childOf<Route>(node: Node<Route>, part: TemplatePart): Node<Route> | undefined {
  if (part.kind === 'literal') return node.literals.get(part.text);
  const { prefix, suffix } = affixesOf(part);
  return node.variables.find((each) => each.prefix === prefix && each.suffix === suffix)?.node;
}

function newChild<Route>(parent: Node<Route>, part: TemplatePart): Node<Route> {
  const node = newNode<Route>();
  if (part.kind === 'literal') {
    parent.literals.set(part.text, node);
    return node;
  }
  const { prefix, suffix } = affixesOf(part);
  parent.variables.push({ prefix, suffix, node });
  // More literal text is more specific; if equal, the longer prefix wins.
  const literals = (each: { prefix: string; suffix: string }) => each.prefix.length + each.suffix.length;
  parent.variables.sort((a, b) => literals(b) - literals(a) || b.prefix.length - a.prefix.length);
  return node;
}

function place<Route>(taken: Leaf<Route> | undefined, leaf: Leaf<Route>): Leaf<Route> {
  if (taken !== undefined) {
    throw new TypeError(`Templates "${taken.template.text}" and "${leaf.template.text}" match the same URIs.`);
  }
  return leaf;
}
