// The instructions of all servers as one text, each quoted under the name of its server: a line of one server cannot
// look like the heading of another, or like the hub's own words. A model reads all of it, so each server has a share,
// and what does not fit is left out.
import { shortened } from '@tidings/live/portable';

export interface ServerInstructions {
  id: string;
  text: string | undefined;
}

/** Characters for each server, and for all of them. */
const mostEach = 4000;
const mostTogether = 16_000;

export function mergedInstructions(own: string, servers: Iterable<ServerInstructions>): string {
  const parts = [own];
  let left = mostTogether;
  for (const { id, text } of servers) {
    if (text === undefined) continue;
    const part = `# Server "${id}"\n\n${quoted(withinShare(text, id))}`;
    if (part.length > left) continue;
    left -= part.length;
    parts.push(part);
  }
  return parts.join('\n\n');
}

function withinShare(text: string, id: string): string {
  if (text.length <= mostEach) return text;
  return `${shortened(text, mostEach)} (shortened: /mcp/${id} has all of it)`;
}

/** Everything that a program or a reader may take for the end of a line. */
const lineEnd = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;

function quoted(text: string): string {
  return text
    .split(lineEnd)
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}
