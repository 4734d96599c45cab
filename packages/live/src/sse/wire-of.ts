// The stream under a Node response.
import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';

/** The stream that is full, closed or destroyed: in HTTP/2 not the response, but the stream behind it. */
export function wireOf(res: ServerResponse): Writable {
  return 'stream' in res && res.stream instanceof Writable ? res.stream : res;
}
