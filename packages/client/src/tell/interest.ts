// Which news one agent gets.
import type { News } from './news.ts';
import { type UriPattern, uriPattern } from '../contract/uri-pattern.ts';

export interface InterestOptions {
  /** Only these servers. */
  servers?: readonly string[] | undefined;
  /** Only resources that match one of these patterns, as in `vcon://**`. */
  uris?: readonly string[] | undefined;
}

export class Interest {
  readonly #servers: ReadonlySet<string> | undefined;
  readonly #patterns: readonly UriPattern[] | undefined;

  constructor({ servers, uris }: InterestOptions) {
    this.#servers = servers && new Set(servers);
    this.#patterns = uris?.map(uriPattern);
  }

  /** A gap names no resource: it may concern any of those that match. */
  covers(news: News): boolean {
    if (news.serverId !== undefined && this.#servers?.has(news.serverId) === false) return false;
    return news.type === 'gap' || (this.#patterns?.some((pattern) => pattern.test(news.resourceUri)) ?? true);
  }
}
