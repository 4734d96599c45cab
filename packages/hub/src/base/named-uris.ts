// URIs in a sentence for a model: in legal characters, shortened, with the number of their changes, and up to a limit.
import { shortPlainUri } from '@tidings/client/tell';

/** URIs that one sentence names, and the characters of each. */
export const mostNamed = 10;
const longestNamed = 200;

export interface ChangedUri {
  readonly uri: string;
  readonly changes: number;
}

/** `a://1 (2), a://2 (1), and 3 more` */
export function namedUris(changed: readonly ChangedUri[]): string {
  const named = changed
    .slice(0, mostNamed)
    .map(({ uri, changes }) => `${shortPlainUri(uri, longestNamed)} (${changes})`);
  const more = changed.length > mostNamed ? [`and ${changed.length - mostNamed} more`] : [];
  return [...named, ...more].join(', ');
}
