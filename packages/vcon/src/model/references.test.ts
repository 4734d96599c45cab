import { expect, it } from 'vitest';
import type { JsonObject } from './json.ts';
import { danglingReferences } from './references.ts';

const two: JsonObject = { parties: [{}, {}], dialog: [{}, {}], analysis: [{}, {}], attachments: [{}, {}] };
const found = (document: JsonObject) => danglingReferences(document).map(({ path }) => path.join('/'));

it.each([
  ['dialog', 'parties', 'parties'],
  ['dialog', 'originator', 'parties'],
  ['dialog', 'transferee', 'parties'],
  ['dialog', 'transferor', 'parties'],
  ['dialog', 'transfer_target', 'parties'],
  ['dialog', 'original', 'dialog'],
  ['dialog', 'consultation', 'dialog'],
  ['dialog', 'target_dialog', 'dialog'],
  ['analysis', 'dialog', 'dialog'],
  ['analysis', 'attachment', 'attachments'],
  ['attachments', 'party', 'parties'],
  ['attachments', 'dialog', 'dialog'],
])('%s.%s must name one of %s', (name, field, target) => {
  const withReference = (value: number) => ({ ...two, [name]: [{}, { [field]: value }] });
  expect(danglingReferences(withReference(1))).toEqual([]);
  expect(danglingReferences(withReference(2))).toEqual([
    { path: [name, 1, field], text: `there is no such entry in ${target}` },
  ]);
});

it.each<[what: string, document: JsonObject, paths: string[]]>([
  ['an index into a missing list', { dialog: [{ parties: 0 }] }, ['dialog/0/parties']],
  ['an index into something that is not a list', { parties: 'ab', dialog: [{ parties: 0 }] }, ['dialog/0/parties']],
  ['one of several indices', { parties: [{}], dialog: [{ parties: [0, 1] }] }, ['dialog/0/parties']],
  ['one of the indices of a channel', { parties: [{}], dialog: [{ parties: [0, [null, 1]] }] }, ['dialog/0/parties']],
  ['the largest number', { parties: [{}], dialog: [{ parties: Number.MAX_VALUE }] }, ['dialog/0/parties']],
])('reports %s', (_, document, paths) => {
  expect(found(document)).toEqual(paths);
});

it.each<[what: string, document: JsonObject]>([
  ['an empty document', {}],
  ['lists that are not lists', { dialog: 'x', parties: 7, analysis: null, attachments: {} }],
  ['entries that are not objects', { dialog: [null, 7, 'parties', [5]] }],
  ['values that are not indices', { dialog: [{ parties: null, originator: 'x', original: {}, consultation: [] }] }],
  ['fields of the other lists', { parties: [{ party: 9, dialog: 9 }], dialog: [{ party: 9 }] }],
  ['channels without a party', { dialog: [{ parties: [null, [null]] }] }],
])('accepts %s', (_, document) => {
  expect(found(document)).toEqual([]);
});
