// Field names of earlier versions of the format. They are understood where it matters, reported as warnings, and not
// changed.
import { isList, isObject, type JsonObject } from './json.ts';
import type { Problem } from './problem.ts';
import { arrayNames, isTags, type ArrayName } from './vcon.ts';

type Renamed = readonly (readonly [old: string, current: string])[];

const inContent: Renamed = [
  ['mimetype', 'mediatype'],
  ['alg', 'content_hash'],
  ['signature', 'content_hash'],
];

const inEntries: Record<ArrayName, Renamed> = {
  parties: [],
  dialog: [...inContent, ['transfer-target', 'transfer_target'], ['target-dialog', 'target_dialog']],
  analysis: [...inContent, ['schema_version', 'schema']],
  attachments: [...inContent, ['type', 'purpose']],
};

const inHead: Renamed = [
  ['must_support', 'critical'],
  ['appended', 'amended'],
];

export function oldNamesIn(document: JsonObject): Problem[] {
  const problems: Problem[] = [];
  addFound(problems, document, inHead, []);
  for (const name of arrayNames) {
    const list = document[name];
    if (!isList(list)) continue;
    for (const [index, entry] of list.entries()) {
      // Tags have either name.
      if (isObject(entry) && !isTags(entry)) addFound(problems, entry, inEntries[name], [name, index]);
    }
  }
  return problems;
}

function addFound(problems: Problem[], object: JsonObject, names: Renamed, path: Problem['path']): void {
  for (const [old, current] of names) {
    if (Object.hasOwn(object, old)) problems.push({ path: [...path, old], text: `old name of ${current}` });
  }
}
