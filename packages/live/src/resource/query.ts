// The query of a URI whose template ends in `{?a,b}`.
import { decode, encodeSegment } from './uri.ts';

/** The values of a query by name; undefined if a name occurs twice, or a fragment follows. */
export function parseQuery(query: string, uri: string): ReadonlyMap<string, string> | undefined {
  const values = new Map<string, string>();
  if (query.includes('#')) return undefined;
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const end = pair.indexOf('=');
    const name = decode(end === -1 ? pair : pair.slice(0, end), uri);
    if (values.has(name)) return undefined;
    values.set(name, end === -1 ? '' : decode(pair.slice(end + 1), uri));
  }
  return values;
}

/** The query with its question mark, in the order of `names`; empty if none of them has a value. */
export function expandQuery(names: readonly string[], valueOf: (name: string) => string | undefined): string {
  if (names.length === 0) return '';
  const pairs = names.flatMap((name) => {
    const value = valueOf(name);
    return value === undefined ? [] : [`${name}=${encodeSegment(value)}`];
  });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
