import { refusalOf } from '@tidings/live/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addEntry, removeEntry, updateEntry, updateFields } from './edits.ts';
import type { Json, JsonObject } from './json.ts';
import { arrayNames } from './vcon.ts';

const document: JsonObject = {
  uuid: 'u',
  custom: { kept: true },
  parties: [{ name: 'A' }, { name: 'B' }],
  dialog: [{ type: 'text' }],
  analysis: [
    { type: 'one', attachment: 0 },
    { type: 'two', attachment: 2 },
    { type: 'three', attachment: [0, 1, 2] },
    { type: 'four' },
  ],
  attachments: [{ a: 0 }, { a: 1 }, { a: 2 }],
};

describe('an entry', () => {
  it('is added at the end, also to a missing list', () => {
    expect(addEntry(document, 'parties', { name: 'C' })).toEqual({
      document: { ...document, parties: [{ name: 'A' }, { name: 'B' }, { name: 'C' }] },
      index: 2,
    });
    expect(addEntry({ dialog: null }, 'dialog', {})).toEqual({ document: { dialog: [{}] }, index: 0 });
    expect(addEntry({}, 'analysis', {})).toEqual({ document: { analysis: [{}] }, index: 0 });
  });

  it('is updated field by field, and null removes a field', () => {
    const updated = updateEntry(document, 'parties', 1, { tel: '+1', name: null });
    expect(updated).toEqual({ ...document, parties: [{ name: 'A' }, { tel: '+1' }] });
  });

  it('becomes empty when a party or dialog is removed, so that others keep their index', () => {
    expect(removeEntry(document, 'parties', 0)).toEqual({ ...document, parties: [{}, { name: 'B' }] });
    expect(removeEntry(document, 'dialog', 0)).toEqual({ ...document, dialog: [{}] });
  });

  it('is deleted when an analysis is removed', () => {
    expect(removeEntry(document, 'analysis', 3)['analysis']).toEqual(
      Array.isArray(document['analysis']) ? document['analysis'].slice(0, 3) : [],
    );
  });

  it('is deleted with all references when an attachment is removed', () => {
    expect(removeEntry(document, 'attachments', 0)).toEqual({
      ...document,
      attachments: [{ a: 1 }, { a: 2 }],
      analysis: [
        { type: 'one' },
        { type: 'two', attachment: 1 },
        { type: 'three', attachment: [0, 1] },
        { type: 'four' },
      ],
    });
  });

  it.each([-1, 2, 0.5, Number.NaN])('is not found at %d', (index) => {
    const message = `parties has no entry ${index}: there are 2, counted from 0.`;
    expect(refusalOf(() => updateEntry(document, 'parties', index, {}))).toBe(message);
    expect(refusalOf(() => removeEntry(document, 'parties', index))).toBe(message);
    expect(refusalOf(() => removeEntry({}, 'parties', index))).toContain('there are none');
  });
});

describe('fields', () => {
  it('are replaced, added and removed', () => {
    expect(updateFields(document, { subject: 'S', custom: null })).toEqual(
      Object.fromEntries([...Object.entries(document).filter(([name]) => name !== 'custom'), ['subject', 'S']]),
    );
  });

  it.each(['uuid', ...arrayNames])('do not include %s', (name) => {
    expect(refusalOf(() => updateFields(document, { [name]: null }))).toMatch(new RegExp(`^${name} cannot be`));
  });

  it('keep created_at, and do not sign the document', () => {
    expect(refusalOf(() => updateFields(document, { created_at: null }))).toMatch(/^created_at cannot be removed/);
    expect(refusalOf(() => updateFields(document, { payload: 'e30', signatures: [] }))).toContain('is signed');
  });
});

it('a signed or encrypted document is not edited', () => {
  const signed = { payload: 'e30', signatures: [{}] };
  const encrypted = { ciphertext: 'x', recipients: [{}] };
  expect(refusalOf(() => addEntry(signed, 'parties', {}))).toContain('is signed and cannot be edited');
  expect(refusalOf(() => updateFields(encrypted, {}))).toContain('is encrypted and cannot be edited');
});

describe('every edit', () => {
  const json = fc.jsonValue().map((value): Json => JSON.parse(JSON.stringify(value)));
  const object = fc
    .dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), json)
    .map((value): JsonObject => JSON.parse(JSON.stringify(value)));
  const list = fc.array(object, { minLength: 1, maxLength: 5 });
  const name = fc.constantFrom(...arrayNames);

  it('leaves other entries and fields unchanged', () => {
    fc.assert(
      fc.property(object, list, name, fc.nat(), object, (extra, entries, name, number, changes) => {
        const index = number % entries.length;
        const before: JsonObject = Object.freeze({ x: extra, [name]: Object.freeze(entries) });
        const others = (document: JsonObject) => [
          document['x'],
          Array.isArray(document[name]) && document[name].toSpliced(index, 1),
        ];
        const updated = updateEntry(before, name, index, changes);
        expect(others(updated)).toEqual(others(before));
        const added = addEntry(before, name, changes);
        expect(added.document).toEqual({ ...before, [name]: [...entries, changes] });
        const removed = removeEntry(before, name, index);
        const isKept = name === 'parties' || name === 'dialog';
        expect(removed[name]).toEqual(isKept ? entries.with(index, {}) : entries.toSpliced(index, 1));
      }),
    );
  });
});
