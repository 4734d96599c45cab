// What a server of the chaos suite shows is in a JSON file, {uri: text}, which the suite edits: so the truth is
// known whatever becomes of the server. It announces what it finds changed there.
import { readFileSync, watch, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** `changed(uri)` is called for each resource whose text is another. */
export function truthFile(file, changed) {
  writeFileSync(`${file}.pid`, String(process.pid));
  let truth = load(file) ?? {};
  const look = () => {
    const next = load(file);
    if (next === undefined) return;
    const before = truth;
    truth = next;
    for (const uri of Object.keys(next)) if (next[uri] !== before[uri]) changed(uri);
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
