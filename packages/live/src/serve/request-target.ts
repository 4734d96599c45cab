// What a request is about: its target may be a path, as usual, or a whole URL, as clients of a proxy send it.
import type { IncomingMessage } from 'node:http';
import { parsedUrl } from '../resource/parsed-url.ts';

/** Without dot segments, whichever way it was written. Undefined if it is neither a path nor a URL. */
export function requestTarget({ url = '/' }: Pick<IncomingMessage, 'url'>): URL | undefined {
  // Not as a base: a path that begins with two slashes would be taken for a host.
  return parsedUrl(url.startsWith('/') ? `http://localhost${url}` : url);
}
