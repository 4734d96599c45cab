// Entries refer to each other by index. Those that point at nothing are reported.
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

export function danglingReferences(document: JsonObject): Problem[] {
  return arrayNames.flatMap((name) =>
    entriesOf(document, name).flatMap((entry, index) => {
      if (!isObject(entry)) return [];
      return Object.entries(targets[name]).flatMap(([field, target]) => {
        const { length } = entriesOf(document, target);
        const isDangling = indicesIn(entry[field]).some((reference) => reference >= length);
        return isDangling ? [{ path: [name, index, field], text: `there is no such entry in ${target}` }] : [];
      });
    }),
  );
}

function entriesOf(document: JsonObject, name: ArrayName): readonly Json[] {
  const list = document[name];
  return isList(list) ? list : [];
}

function indicesIn(value: Json | undefined): number[] {
  if (typeof value === 'number') return [value];
  return isList(value) ? value.flatMap(indicesIn) : [];
}
