// Entries refer to each other by index. References to entries that do not exist are reported.
import { isList, isObject, type Json, type JsonObject } from './json.ts';
import type { Problem } from './problem.ts';
import { arrayNames, type ArrayName } from './vcon.ts';

const targets: Record<ArrayName, Record<string, ArrayName>> = {
  parties: {},
  dialog: {
    parties: 'parties',
    originator: 'parties',
    transferee: 'parties',
    transferor: 'parties',
    transfer_target: 'parties',
    original: 'dialog',
    consultation: 'dialog',
    target_dialog: 'dialog',
  },
  analysis: { dialog: 'dialog', attachment: 'attachments' },
  attachments: { party: 'parties', dialog: 'dialog' },
};

const fieldsOf = arrayNames.map((name) => [name, Object.entries(targets[name])] as const);

export function danglingReferences(document: JsonObject): Problem[] {
  const problems: Problem[] = [];
  for (const [name, fields] of fieldsOf) {
    for (const [index, entry] of entriesOf(document, name).entries()) {
      if (!isObject(entry)) continue;
      for (const [field, target] of fields) {
        const value = entry[field];
        if (value === undefined || !isBeyond(value, entriesOf(document, target).length)) continue;
        problems.push({ path: [name, index, field], text: `there is no such entry in ${target}` });
      }
    }
  }
  return problems;
}

function entriesOf(document: JsonObject, name: ArrayName): readonly Json[] {
  const list = document[name];
  return isList(list) ? list : [];
}

function isBeyond(value: Json, length: number): boolean {
  if (typeof value === 'number') return value >= length;
  return isList(value) && value.some((each) => isBeyond(each, length));
}
