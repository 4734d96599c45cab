// Names that earlier versions of the format used. They are understood where it matters and reported, and
// stay in the document.
import { isList, isObject, type JsonObject } from './json.ts';
import type { Problem } from './problem.ts';
import { arrayNames, isTags, type ArrayName } from './vcon.ts';

const inContent = { mimetype: 'mediatype', alg: 'content_hash', signature: 'content_hash' };

const inEntries: Record<ArrayName, Record<string, string>> = {
  parties: {},
  dialog: { ...inContent, 'transfer-target': 'transfer_target', 'target-dialog': 'target_dialog' },
  analysis: { ...inContent, schema_version: 'schema' },
  attachments: { ...inContent, type: 'purpose' },
};

const inHead = { must_support: 'critical', appended: 'amended' };

export function oldNamesIn(document: JsonObject): Problem[] {
  const inLists = arrayNames.flatMap((name) => {
    const list = document[name];
    if (!isList(list)) return [];
    return list.flatMap((entry, index) => {
      // Tags are found by either name.
      if (!isObject(entry) || isTags(entry)) return [];
      return found(entry, inEntries[name], [name, index]);
    });
  });
  return [...found(document, inHead, []), ...inLists];
}

function found(object: JsonObject, names: Record<string, string>, path: Problem['path']): Problem[] {
  return Object.entries(names)
    .filter(([old]) => Object.hasOwn(object, old))
    .map(([old, current]) => ({ path: [...path, old], text: `old name of ${current}` }));
}
