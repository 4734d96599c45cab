// A server's resources are in a JSON file, {uri: text}, which the suite edits, so they are known even if the server
// fails. The server announces the differences it finds in the file.
import { readFileSync, watch, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Calls `changed(uri)` for each resource whose text differs, and `listed(uris)` with the added and removed ones. */
export function truthFile(file, { changed, listed }) {
  writeFileSync(`${file}.pid`, String(process.pid));
  let truth = load(file) ?? {};
  const look = () => {
    const next = load(file);
    if (next === undefined) return;
    const before = truth;
    truth = next;
    const uris = new Set([...Object.keys(next), ...Object.keys(before)]);
    const isListed = (uri) => (next[uri] === undefined) !== (before[uri] === undefined);
    const others = [...uris].filter(isListed);
    if (others.length > 0) listed(others);
    for (const uri of uris) if (next[uri] !== before[uri] && !isListed(uri)) changed(uri);
  };
  watch(dirname(file), (_, name) => name === basename(file) && look());
  setInterval(look, 100);
  return {
    uris: () => Object.keys(truth),
    text: (uri) => truth[uri],
  };
}

function load(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
