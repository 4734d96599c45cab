import { describe, expect, it } from 'vitest';
import { accept } from '../model/accept.ts';
import { contentDigest, isTextDigest } from '../model/digest.ts';
import type { JsonObject } from '../model/json.ts';
import { Redaction } from '../model/redaction.ts';
import { documentInSteps, documentOf, documentText, isSameContent, parsedDocument, rowOf } from './row.ts';

const now = new Date('2026-01-02T03:04:05Z');
const uuid = '123e4567-e89b-42d3-a456-426614174000';
const base: JsonObject = { vcon: '0.4.0', uuid, created_at: '2025-10-14T10:30:00Z', parties: [] };
const accepted = (document: JsonObject) => accept(document, { now });
const rowFor = (document: JsonObject) => rowOf(accepted(document));
/** Members such as `__proto__` as a parsed document has them. */
const parsed = (text: string): JsonObject => JSON.parse(`{${JSON.stringify(base).slice(1, -1)},${text}}`);

describe('a document', () => {
  it.each<[what: string, document: JsonObject]>([
    ['without lists', { ...base }],
    ['with all lists', { ...base, dialog: [], analysis: [{ type: 'x', vendor: 'y' }], attachments: [] }],
    ['with Unicode, quotes and control characters', { ...base, subject: '"\\ \u2028 \u0000 😀 \ud800' }],
    ['with a member named __proto__', parsed('"__proto__":{"a":1}')],
    ['with members named as those of every object', { ...base, constructor: 'x', toString: ['y'] }],
    ['with an empty subject', { ...base, subject: '' }],
  ])('%s is the same in its row', (_, document) => {
    const row = rowFor(document);
    expect(JSON.stringify(parsedDocument(row))).toBe(JSON.stringify(JSON.parse(documentText(row))));
    expect(parsedDocument(row)).toEqual(document);
    expect(Object.keys(parsedDocument(row)).toSorted()).toEqual(Object.keys(document).toSorted());
    expect(row.size).toBe(documentText(row).length);
    expect(row.sealed).toBeNull();
  });

  it('keeps a list missing that was missing', () => {
    const { parties: _, ...withoutParties } = base;
    expect(rowFor(withoutParties)).toMatchObject({ parties: null, dialog: null, analysis: null, attachments: null });
    expect(documentText(rowFor(withoutParties))).not.toContain('parties');
  });

  it('keeps the text of a list as it was written', () => {
    const parties = '[ {"name": "\\u0041", "n": 1.0} ]';
    const document = { ...base, parties: [{ name: 'A', n: 1 }], dialog: [] };
    const row = rowOf(accepted(document), { parties });
    expect(row).toMatchObject({ parties, dialog: '[]' });
    expect(documentText(row)).toContain(`,"parties":${parties},"dialog":[]}`);
  });

  it('ignores the text of a list that it does not have', () => {
    const row = rowOf(accepted(base), { dialog: '[1]' });
    expect(row.dialog).toBeNull();
  });

  it('is shown as a policy permits', () => {
    const row = rowFor({ ...base, parties: [{ name: 'A', tel: '+1' }] });
    const redaction = new Redaction({ drop: ['tel'] });
    expect(documentOf(row)['parties']).toEqual([{ name: 'A', tel: '+1' }]);
    expect(documentOf(row, redaction)).toEqual({ ...base, parties: [{ name: 'A' }] });
    const steps = documentInSteps(row, redaction);
    let step = steps.next();
    while (step.done !== true) step = steps.next();
    expect(step.value).toEqual(documentOf(row, redaction));
  });

  it('that is signed is stored as a whole, and shown by its readable fields', () => {
    const payload = Buffer.from(JSON.stringify({ ...base, subject: 'Inside' })).toString('base64url');
    const signed: JsonObject = {
      payload,
      signatures: [{ protected: 'e30', header: { uuid, alg: 'RS256' }, signature: 'x' }],
    };
    const row = rowFor(signed);
    expect(row).toMatchObject({ uuid, form: 'signed', parties: null, dialog: null, subject: '"Inside"' });
    expect(documentText(row)).toBe(JSON.stringify(signed));
    expect(documentOf(row)).not.toHaveProperty('payload');
  });
});

describe('the columns', () => {
  it.each<[subject: JsonObject, column: string | null, key: string]>([
    [{}, null, ''],
    [{ subject: null }, 'null', ''],
    [{ subject: 7 }, '7', ''],
    [{ subject: 'ÄB' }, '"ÄB"', 'ab'],
  ])('of %j show the subject as %j and search for it as "%s"', (subject, column, key) => {
    expect(rowFor({ ...base, ...subject })).toMatchObject({ subject: column, subject_key: key });
  });

  it('hold the parties as they are searched for', () => {
    expect(rowFor({ ...base, parties: [{ name: 'Zoë' }] }).party_key).toContain('zoe');
  });

  it('show the time as it was written, or when the document came', () => {
    expect(rowFor({ ...base, created_at: '2025-10-14 10:30:00+02:00' }).created_at).toBe('"2025-10-14 10:30:00+02:00"');
    const { created_at: _, ...without } = base;
    expect(rowOf({ ...accepted(base), head: without, created: 1_000_000 }).created_at).toBe(
      '"1970-01-01T00:00:01.000Z"',
    );
  });
});

describe('two rows', () => {
  it.each<[what: string, isSame: boolean, one: JsonObject, other: JsonObject]>([
    ['the same document', true, { ...base }, { ...base }],
    ['another order of fields', true, { ...base, subject: 'x' }, { subject: 'x', ...base }],
    [
      'another order of a list',
      false,
      { ...base, parties: [{ name: 'a' }, {}] },
      { ...base, parties: [{}, { name: 'a' }] },
    ],
    ['an empty list and none', false, { ...base }, { ...base, dialog: [] }],
    ['other text', false, { ...base, subject: 'a' }, { ...base, subject: 'A' }],
  ])('with %s have the same content: %s', (_, isSame, one, other) => {
    expect(isSameContent(rowFor(one), rowFor(other))).toBe(isSame);
  });

  it('have the same content if one has a digest of the content', () => {
    const row = rowFor(base);
    expect(isTextDigest(row.digest)).toBe(true);
    const ofContent = { ...row, digest: contentDigest(base) };
    expect(isSameContent(row, ofContent)).toBe(true);
    expect(isSameContent(rowFor({ ...base, subject: 'x' }), ofContent)).toBe(false);
  });
});
