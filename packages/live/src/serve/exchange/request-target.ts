// The target of an HTTP request: a path, or a whole URL as clients of a proxy send it.
import type { IncomingMessage } from 'node:http';
import { parsedUrl } from '../../portable/parsed-url.ts';

/** Without dot segments. Undefined if the target is neither a path nor a URL. */
export function requestTarget({ url = '/' }: Pick<IncomingMessage, 'url'>): URL | undefined {
  // With a base URL, a path that begins with two slashes would be parsed as a host.
  return parsedUrl(url.startsWith('/') ? `http://localhost${url}` : url);
}
