import { expect, it } from 'vitest';
import type { JsonObject } from './json.ts';
import { oldNamesIn } from './old-names.ts';

const found = (document: JsonObject) => oldNamesIn(document).map(({ path, text }) => `${path.join('/')}: ${text}`);

it.each<[document: JsonObject, problems: string[]]>([
  [{ must_support: [] }, ['must_support: old name of critical']],
  [{ appended: {} }, ['appended: old name of amended']],
  [{ dialog: [{}, { mimetype: 'text/plain' }] }, ['dialog/1/mimetype: old name of mediatype']],
  [
    { dialog: [{ alg: 'x', signature: 'y' }] },
    ['dialog/0/alg: old name of content_hash', 'dialog/0/signature: old name of content_hash'],
  ],
  [
    { dialog: [{ 'transfer-target': 1, 'target-dialog': 0 }] },
    ['dialog/0/transfer-target: old name of transfer_target', 'dialog/0/target-dialog: old name of target_dialog'],
  ],
  [{ analysis: [{ schema_version: '1' }] }, ['analysis/0/schema_version: old name of schema']],
  [{ attachments: [{ type: 'contract' }] }, ['attachments/0/type: old name of purpose']],
  [{ attachments: [{ type: null }] }, ['attachments/0/type: old name of purpose']],
])('reports in %j: %j', (document, problems) => {
  expect(found(document)).toEqual(problems);
});

it.each<[what: string, document: JsonObject]>([
  [
    'current names',
    { critical: [], dialog: [{ mediatype: 'x', type: 'text' }], analysis: [{ type: 'x', schema: '1' }] },
  ],
  ['tags under either name', { attachments: [{ type: 'tags' }, { purpose: 'tags', mimetype: 'x' }] }],
  ['old names at another place', { mimetype: 'x', parties: [{ mimetype: 'x', alg: 'y' }], dialog: [{ appended: 1 }] }],
  ['names that every object inherits', { dialog: [{}], constructor: 'x' }],
  ['lists and entries of another kind', { dialog: 'mimetype', analysis: [null, 'alg', ['alg']], attachments: null }],
])('accepts %s', (_, document) => {
  expect(found(document)).toEqual([]);
});
