import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { refusalOf } from '@tidings/live/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accept, type AcceptOptions } from './accept.ts';
import type { Json, JsonObject } from './json.ts';
import { arrayNames } from './vcon.ts';

const now = new Date('2026-01-02T03:04:05.678Z');
const uuid = '123e4567-e89b-12d3-a456-426614174000';
const plain: JsonObject = { uuid, created_at: '2025-10-14T10:30:00Z' };
const taken = (input: unknown, options: Partial<AcceptOptions> = {}) => accept(input, { now, ...options });

describe('a document', () => {
  it('that follows the format is stored unchanged, without a warning, also in strict mode', () => {
    const document = {
      ...plain,
      subject: 'Support',
      parties: [{ name: 'A', tel: '+15551234' }, {}],
      dialog: [
        {
          type: 'text',
          start: '2025-10-14T10:30:00Z',
          parties: [0, 1],
          mediatype: 'text/plain',
          encoding: 'none',
          body: 'Hi',
        },
        { type: 'incomplete', start: '2025-10-14T10:31:00Z', parties: 0, disposition: 'busy' },
        {},
      ],
      analysis: [{ type: 'sentiment', vendor: 'V', dialog: 0, encoding: 'json', body: { score: 1 } }],
      attachments: [{ type: 'tags', encoding: 'json', body: ['a:b'] }],
      x_own: { anything: [null] },
    };
    const accepted = taken(document, { strict: true });
    expect(accepted.document).toBe(document);
    expect(accepted).toMatchObject({
      uuid,
      created: Date.UTC(2025, 9, 14, 10, 30) * 1000,
      form: 'unsigned',
      warnings: [],
    });
    expect(accepted.head).toEqual({ ...plain, subject: 'Support', x_own: { anything: [null] } });
  });

  it('has its uuid in lower case as the key, and unchanged in the document', () => {
    const accepted = taken({ ...plain, uuid: uuid.toUpperCase() });
    expect(accepted.uuid).toBe(uuid);
    expect(accepted.document['uuid']).toBe(uuid.toUpperCase());
  });

  it('without a uuid gets one from its content, at any time and with any order of fields', () => {
    const [first, again] = [taken({ subject: 'S', a: 1 }), accept({ a: 1, subject: 'S' }, { now: new Date(0) })];
    expect(first.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8/);
    expect(again.uuid).toBe(first.uuid);
    expect(taken({ subject: 'T', a: 1 }).uuid).not.toBe(first.uuid);
    expect(first.document).toEqual({ subject: 'S', a: 1, uuid: first.uuid, created_at: now.toISOString() });
    expect(first.created).toBe(now.getTime() * 1000);
    expect(first.warnings).toEqual([
      'uuid: missing, so one was made from the content',
      'created_at: missing, so the time of import counts',
    ]);
  });

  it('with an invalid created_at keeps it, and is sorted by the time of import', () => {
    const accepted = taken({ uuid, created_at: 'last Friday' });
    expect(accepted.document['created_at']).toBe('last Friday');
    expect(accepted.created).toBe(now.getTime() * 1000);
    expect(accepted.warnings).toEqual(['created_at: is not a time, so the time of import counts']);
  });

  it.each<[unknown, string]>([
    [null, 'not an object'],
    ['{}', 'not an object'],
    [[], 'not an object'],
    [{ uuid: '-'.repeat(36) }, 'is no UUID'],
    [{ uuid: 7 }, 'uuid is 7, which is no UUID'],
    [{ uuid: 'x'.repeat(5000) }, 'is no UUID'],
    [{ ...plain, dialog: {} }, 'dialog is not a list'],
    [{ ...plain, parties: 'A' }, 'parties is not a list'],
    [{ ...plain, analysis: [{}, 7] }, 'analysis[1] is not an object'],
    [{ ...plain, attachments: [null] }, 'attachments[0] is not an object'],
    [{ ...plain, critical: ['lawful_basis'] }, 'extension "lawful_basis" (critical)'],
    [{ ...plain, must_support: 'wtf' }, 'extension "wtf" (must_support)'],
    [{ ...plain, critical: [{}] }, 'extension {} (critical)'],
    [{ ...plain, x: JSON.parse('['.repeat(600) + ']'.repeat(600)) }, 'nested more than 500 levels deep'],
    [{ ...plain, x: JSON.parse('['.repeat(200_000) + ']'.repeat(200_000)) }, 'nested more than 500 levels deep'],
  ])('is refused whatever the mode: %#', (input, message) => {
    expect(refusalOf(() => taken(input))).toContain(message);
    expect(refusalOf(() => taken(input)).length).toBeLessThan(400);
  });

  it('may require a known extension', () => {
    expect(taken({ ...plain, critical: ['cc'] }, { extensions: ['cc'], strict: true }).uuid).toBe(uuid);
  });

  it('may have null instead of a list', () => {
    const accepted = taken({ ...plain, dialog: null });
    expect(accepted.document['dialog']).toBeNull();
    expect(accepted.head).toEqual(plain);
    expect(accepted.warnings).toEqual(['dialog: is null, so leave it out']);
  });

  const text = { type: 'text', start: '2025-10-14T10:30:00Z', encoding: 'none', body: 'x' };
  const elsewhere = { type: 'recording', start: '2025-10-14T10:30:00Z', url: 'https://example.com/a.wav' };
  it.each<[JsonObject, string]>([
    [{ must_support: [] }, 'must_support: old name of critical'],
    [{ appended: { uuid } }, 'appended: old name of amended'],
    [{ redacted: {} }, 'redacted: is empty, so leave it out'],
    [{ redacted: { uuid } }, 'redacted.type: missing'],
    [
      { redacted: { type: 'x', uuid }, amended: { uuid } },
      'amended: a vCon is either redacted or amended: leave out one of both',
    ],
    [{ amended: { url: 'https://example.com/v' } }, 'amended.content_hash: missing, but goes with a url'],
    [{ subject: 7 }, 'subject: must be of type string'],
    [{ updated_at: '2025-02-30T00:00:00Z' }, 'updated_at: is not a time as in 2025-10-14T10:30:00Z'],
    [{ updated_at: '2025-02-20T00:00:00' }, 'updated_at: has no offset, so it is read as UTC: write Z'],
    [{ parties: [{ tel: 1 }] }, 'parties[0].tel: must be of type string'],
    [{ parties: [{ type: 'cat' }] }, 'parties[0].type: must be person, bot or organization'],
    [{ dialog: [{ ...text, mimetype: 'text/plain' }] }, 'dialog[0].mimetype: old name of mediatype'],
    [
      { dialog: [{ ...text, type: 'video' }] },
      'dialog[0].type: must be recording, text, transfer, incomplete or recording-set',
    ],
    [{ dialog: [{ ...text, session_id: 'abc' }] }, 'dialog[0].session_id: must be an object with local and remote'],
    [{ dialog: [{ ...text, parties: [0] }] }, 'dialog[0].parties: there is no such entry in parties'],
    [{ dialog: [{ ...text, parties: ['A'] }] }, 'dialog[0].parties: must be an index into parties, or a list of such'],
    [{ dialog: [{ ...text, duration: -1 }] }, 'dialog[0].duration: must not be negative'],
    [
      { dialog: [{ ...text, encoding: 'base64url', body: '!' }] },
      'dialog[0].body: is not base64url, as its encoding says',
    ],
    [{ dialog: [{ ...text, body: {} }] }, 'dialog[0].body: must be text where encoding is none'],
    [{ dialog: [elsewhere] }, 'dialog[0].content_hash: missing, but goes with a url'],
    [
      { dialog: [{ ...elsewhere, content_hash: 'md5-x' }] },
      'dialog[0].content_hash: must be sha512- and the hash in base64url',
    ],
    [
      { dialog: [{ ...elsewhere, url: 'http://example.com', content_hash: 'sha512-x' }] },
      'dialog[0].url: must be an https URL',
    ],
    [
      { dialog: [{ ...text, type: 'transfer' }] },
      'dialog[0].type: a dialog of this type carries no content: leave out body and url',
    ],
    [
      { dialog: [{ type: 'incomplete', start: text.start }] },
      'dialog[0].disposition: missing, but goes with type incomplete',
    ],
    [{ dialog: [{ ...text, original: 0 }] }, 'dialog[0].type: must be transfer where fields of a transfer are given'],
    [
      { dialog: [{ type: 'transfer', start: text.start, 'transfer-target': 0 }] },
      'dialog[0].transfer-target: old name of transfer_target',
    ],
    [
      { dialog: [{ type: 'transfer', start: text.start, 'target-dialog': 0 }] },
      'dialog[0].target-dialog: old name of target_dialog',
    ],
    [{ analysis: [{ type: 'summary' }] }, 'analysis[0].vendor: missing'],
    [
      { analysis: [{ type: 'summary', vendor: 'V', schema_version: '1' }] },
      'analysis[0].schema_version: old name of schema',
    ],
    [
      { analysis: [{ type: 'summary', vendor: 'V', body: 'x' }] },
      'analysis[0].encoding: missing, but goes with a body',
    ],
  ])('is accepted with a warning, and refused in strict mode: %j', (fields, warning) => {
    const input = { ...plain, ...fields };
    const accepted = taken(input);
    expect(accepted.document).toBe(input);
    expect(accepted.warnings).toEqual([warning]);
    expect(refusalOf(() => taken(input, { strict: true }))).toContain(warning);
  });

  it('has one warning for the same mistake in many entries', () => {
    const dialog = Array.from({ length: 10 }, () => ({ ...text, alg: 'x', signature: 'y', mimetype: 'text/plain' }));
    expect(taken({ ...plain, dialog }).warnings).toEqual([
      'dialog[*].mimetype (10 times): old name of mediatype',
      'dialog[*].alg (10 times): old name of content_hash',
      'dialog[*].signature (10 times): old name of content_hash',
    ]);
  });

  it('is refused with all problems of all fields at once', () => {
    const dialog = [{ type: 'film', url: 'ftp://x', body: 'y' }];
    expect(taken({ ...plain, subject: 1, redacted: {}, dialog }).warnings).toHaveLength(8);
  });
});

describe('a signed document', () => {
  const sign = (payload: Json) => ({
    payload: Buffer.from(JSON.stringify(payload)).toString('base64url'),
    signatures: [{ protected: 'e30', header: { uuid }, signature: 'x' }],
  });

  it('is stored unchanged; its payload is readable', () => {
    const input = sign({ ...plain, subject: 'S', parties: [{ name: 'A' }] });
    const accepted = taken(input, { strict: true });
    expect(accepted.document).toBe(input);
    expect(accepted).toMatchObject({ uuid, form: 'signed', created: Date.UTC(2025, 9, 14, 10, 30) * 1000 });
    expect(accepted.head).toEqual({ ...plain, subject: 'S' });
  });

  it.each(['!!', 'e30x', Buffer.from('[1]').toString('base64url'), ''])('may have the payload %j', (payload) => {
    const accepted = taken({ ...sign({}), payload });
    expect(accepted.uuid).toBe(uuid);
    expect(accepted.head).toEqual({ uuid, created_at: now.toISOString() });
    expect(accepted.warnings).toContain('payload: cannot be read as JSON');
    const nameless = { payload, signatures: [] };
    expect(taken(nameless).uuid).toBe(taken({ ...nameless }).uuid);
    expect(taken(nameless).document).toBe(nameless);
  });

  it('may have one signature without a list, with a warning', () => {
    const { payload } = sign(plain);
    const accepted = taken({ payload, protected: 'e30', signature: 'x' });
    expect(accepted.form).toBe('signed');
    expect(accepted.warnings).toEqual(['flattened JSON form, read like the general one of a signed vCon']);
  });

  it('is refused if its payload requires an unknown extension', () => {
    expect(refusalOf(() => taken(sign({ ...plain, critical: ['x'] })))).toContain('extension "x"');
  });

  it('has warnings about its payload', () => {
    expect(taken(sign({ ...plain, dialog: 7, subject: 1 })).warnings).toEqual([
      'payload.subject: must be of type string',
      'payload.dialog: must be a list',
    ]);
  });
});

describe('an encrypted document', () => {
  it('is stored unchanged; its header is readable', () => {
    const input = { unprotected: { uuid, cty: 'application/vcon' }, ciphertext: 'x', iv: 'y', recipients: [{}] };
    const accepted = taken(input);
    expect(accepted.document).toBe(input);
    expect(accepted).toMatchObject({ uuid, form: 'encrypted', created: now.getTime() * 1000 });
    expect(accepted.head).toEqual({ uuid, cty: 'application/vcon', created_at: now.toISOString() });
    expect(accepted.warnings).toEqual(['created_at: missing, so the time of import counts']);
  });

  it('may have no unprotected header', () => {
    const accepted = taken({ protected: 'e30', ciphertext: 'x', encrypted_key: 'z' });
    expect(accepted.form).toBe('encrypted');
    expect(accepted.head).toEqual({ uuid: accepted.uuid, created_at: now.toISOString() });
  });
});

describe('a document with any content', () => {
  const name = fc.oneof(
    fc.string(),
    fc.constantFrom('__proto__', 'constructor', 'subject', 'redacted', 'body', 'type'),
  );
  const json = fc.jsonValue();
  const entry = fc.dictionary(name, json);

  it('is stored unchanged, except for added missing fields', () => {
    const document = fc.tuple(fc.dictionary(name, json), fc.array(entry), fc.constantFrom(...arrayNames));
    fc.assert(
      fc.property(document, ([fields, list, array]) => {
        const text = JSON.stringify({ ...fields, [array]: list });
        const input = JSON.parse(text);
        const { document, head, warnings } = taken(input);
        expect(JSON.stringify(input)).toBe(text);
        const added = Object.keys(document).filter((field) => !Object.hasOwn(input, field));
        expect(added).toEqual(['uuid', 'created_at']);
        const kept = Object.fromEntries(Object.entries(document).filter(([field]) => Object.hasOwn(input, field)));
        expect(JSON.stringify(kept)).toBe(text);
        expect(Object.keys(head)).toEqual(Object.keys(document).filter((field) => field !== array));
        expect(warnings.length).toBeLessThanOrEqual(51);
        expect(warnings.every((warning) => warning.length < 200)).toBe(true);
      }),
    );
  });
});

const samples = '../shared/data/vcon';
describe.skipIf(!existsSync(samples))('the sample documents', () => {
  it('are stored unchanged', () => {
    const lines = readFileSync(`${samples}/fake-vcons.jsonl`, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
    const files = readdirSync(`${samples}/wg-examples`).map((name) =>
      readFileSync(`${samples}/wg-examples/${name}`, 'utf8'),
    );
    for (const text of [...lines, ...files]) {
      const input = JSON.parse(text);
      const { document, warnings } = taken(input);
      expect({ ...document, ...input }).toEqual(document);
      expect(warnings.length).toBeLessThan(12);
    }
    expect(lines).toHaveLength(601);
  });
});
