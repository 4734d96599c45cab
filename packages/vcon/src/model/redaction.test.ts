import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from './json.ts';
import { builtinRedactions, Redaction, redactionSchema } from './redaction.ts';

const base64url = (text: string) => Buffer.from(text).toString('base64url');
const secrets = new Redaction({ drop: ['tel', 'mailto'], mask: ['secret-\\d+'], replacement: '***' });

describe('a policy', () => {
  it('drops fields at any depth and in any case', () => {
    const document = {
      uuid: 'u',
      parties: [{ name: 'A', tel: '+1', Mailto: 'a@b' }, {}],
      analysis: [{ body: { contact: { tel: '+1', kept: 1 } } }, { body: '{"tel":"+1","kept":1}' }],
      attachments: [
        { type: 'tags', body: ['tel:+1', 'a:b'] },
        { type: 'tags', body: '["tel:+1","a:b"]' },
      ],
    };
    expect(secrets.document(document)).toEqual({
      uuid: 'u',
      parties: [{ name: 'A' }, {}],
      analysis: [{ body: { contact: { kept: 1 } } }, { body: '{"kept":1}' }],
      attachments: [
        { type: 'tags', body: ['a:b'] },
        { type: 'tags', body: '["a:b"]' },
      ],
    });
  });

  it('drops encoded tags', () => {
    const tags = (list: string[]) => ({ type: 'tags', encoding: 'base64url', body: base64url(JSON.stringify(list)) });
    expect(secrets.value(tags(['tel:+1', 'a:b']))).toEqual(tags(['a:b']));
    expect(new Redaction({ drop: ['tel'] }).value(tags(['tel:+1', 'a:b']))).toEqual(tags(['a:b']));
  });

  it('drops fields of encoded JSON of any media type', () => {
    const body = (fields: object) => ({ encoding: 'base64url', body: base64url(JSON.stringify(fields)) });
    const quiet = new Redaction({ drop: ['tel'] });
    for (const mediatype of [{}, { mediatype: 'application/octet-stream' }, { mediatype: 'application/x-json' }]) {
      const entry = { type: 'report', vendor: 'x', ...mediatype };
      expect(quiet.value({ ...entry, ...body({ tel: '+1', kept: 1 }) })).toEqual({ ...entry, ...body({ kept: 1 }) });
      expect(quiet.value({ ...entry, ...body({ kept: 1 }) })).toEqual({ ...entry, ...body({ kept: 1 }) });
    }
  });

  it('drops fields of JSON in a text that begins with a byte order mark', () => {
    expect(secrets.value({ body: '\uFEFF{"tel":"+1","kept":1}' })).toEqual({ body: '{"kept":1}' });
    const untouched = { body: '\uFEFF{"kept":1}' };
    expect(secrets.value(untouched)).toEqual(untouched);
  });

  it('keeps the fields that identify a document', () => {
    const everything = new Redaction({ drop: ['uuid', 'created_at'], mask: ['.'] });
    const document = { uuid: '123e4567-e89b-12d3-a456-426614174000', created_at: '2025-10-14T10:30:00Z', dialog: [] };
    expect(everything.document(document)).toEqual(document);
  });

  it('drops a whole list, in the document and read by itself', () => {
    const quiet = new Redaction({ drop: ['analysis'] });
    const analysis = [{ type: 'summary', vendor: 'x', body: 'secret' }];
    expect(quiet.document({ uuid: 'u', analysis, dialog: [] })).toEqual({ uuid: 'u', dialog: [] });
    expect(quiet.part('analysis', analysis)).toEqual([]);
  });

  it('keeps the structure of a vCon with masks that match everything', () => {
    const everything = new Redaction({ mask: ['[^]'], replacement: '*' });
    const dialog = { type: 'text', start: '2025-10-14T10:30:00Z', duration: 7.5, parties: [0, 1], encoding: 'none' };
    expect(everything.part('dialog', [{ ...dialog, body: 'Hi', mediatype: 'text/plain' }])).toEqual([
      { ...dialog, body: '**', mediatype: 'text/plain' },
    ]);
  });

  it('leaves other content unchanged', () => {
    const document: JsonObject = {
      subject: 'Plain 100%',
      dialog: [{ body: '{ "a" : 1 }' }, { encoding: 'base64url', mediatype: 'text/plain', body: base64url('hi') }],
      own: [1, true, null],
    };
    expect(secrets.document(document)).toEqual(document);
  });

  it('keeps JSON in a text valid', () => {
    const inner = JSON.stringify({ a: 'secret-1 "quoted"', 'secret-2': [JSON.stringify({ b: 'secret-3', tel: 1 })] });
    const masked = JSON.stringify({ a: '*** "quoted"', '***': ['{"b":"***"}'] });
    expect(secrets.value(inner)).toBe(masked);
  });

  it('masks numbers', () => {
    const cards = new Redaction({ mask: ['\\d{16}'] });
    expect(cards.value({ card: 4_111_111_111_111_111, duration: 4_111_111_111_111_111, n: 3 })).toEqual({
      card: '[redacted]',
      duration: '[redacted]',
      n: 3,
    });
  });

  it('masks encoded text, and removes content that cannot be checked', () => {
    const encoded = (mediatype: string, body: string) => ({ encoding: 'base64url', mediatype, body });
    const wav = encoded('audio/wav', 'UklGRg');
    expect(secrets.value(encoded('text/plain', base64url('a secret-1')))).toEqual(
      encoded('text/plain', base64url('a ***')),
    );
    expect(secrets.value(encoded('application/json', base64url('{"tel":1}')))).toEqual(
      encoded('application/json', base64url('{}')),
    );
    expect(secrets.value(wav)).toEqual({ encoding: 'base64url', mediatype: 'audio/wav', redacted: true });
    expect(secrets.value(encoded('text/plain; charset=utf-16', 'aGk'))).toMatchObject({ redacted: true });
    expect(secrets.value({ mimetype: 'audio/x-wav', body: 'UklGRg' })).toEqual({
      mimetype: 'audio/x-wav',
      redacted: true,
    });
    expect(secrets.document(wav)).toMatchObject({ redacted: true });
    expect(secrets.value({ encoding: 'rot13', body: 'frperg-1' })).toEqual({ encoding: 'rot13', redacted: true });
    const bytes = { mediatype: 'application/octet-stream', body: base64url('secret-1') };
    expect(secrets.value(bytes)).toEqual({ mediatype: 'application/octet-stream', redacted: true });
    expect(secrets.value({ ...bytes, mediatype: 'application/xml', body: '<a/>' })).toMatchObject({ body: '<a/>' });
    expect(secrets.value({ url: `data:text/plain;base64,${base64url('secret-1')}` })).toEqual({ url: '***' });
    expect(secrets.value(['secret&#45;1', 'secret&#x2D;1', 'A&#38;B'])).toEqual(['***', '***', 'A&#38;B']);
    const mail = 'Content-Transfer-Encoding: base64\r\n\r\nc2VjcmV0LTE=';
    expect(secrets.value({ mediatype: 'multipart/mixed', body: mail })).toMatchObject({ redacted: true });
    expect(new Redaction({ drop: ['tel'] }).value(wav)).toEqual(wav);
  });

  it('leaves only the header of signed and encrypted documents', () => {
    const payload = base64url(JSON.stringify({ uuid: 'u', subject: 'secret-1', parties: [{ name: 'A' }] }));
    expect(secrets.document({ payload, signatures: [{ signature: 'x' }] })).toEqual({
      uuid: 'u',
      subject: '***',
      redacted: { type: 'policy' },
    });
    const encrypted = { unprotected: { uuid: 'u' }, ciphertext: 'x', recipients: [] };
    expect(secrets.document(encrypted)).toEqual({ uuid: 'u', redacted: { type: 'policy' } });
  });

  it('inserts its replacement literally', () => {
    expect(new Redaction({ mask: ['b'], replacement: '$&$1' }).text('abc')).toBe('a$&$1c');
    expect(new Redaction({ mask: ['\\b'] }).text('a b')).toBe('a b');
  });

  it.each([
    ['(', '"(" is not a regular expression: correct it'],
    ['x*', '"x*" matches an empty text: let it match at least one character'],
  ])('refuses the mask %s', (pattern, problem) => {
    expect(redactionSchema.safeParse({ mask: ['a', pattern] }).error?.issues).toMatchObject([
      { path: ['mask', 1], message: problem },
    ]);
    expect(() => new Redaction({ mask: [pattern] })).toThrow(problem);
  });

  it('has no unused field', () => {
    expect(redactionSchema.safeParse({ drops: [] }).success).toBe(false);
  });
});

describe('contact-details', () => {
  const redaction = new Redaction(builtinRedactions['contact-details'] ?? {});

  it.each([
    ['Write to Jane.Doe+x@mail.example.co.uk today', 'Write to [redacted] today'],
    ['jörg@müller.example', '[redacted]'],
    ['jo\u0308rg@mu\u0308ller.example', '[redacted]'],
    ['Write to jane\u200b@example.\u200bcom, or jane\uff20example.com.', 'Write to [redacted], or [redacted].'],
    [`${'x'.repeat(100)}@a.example`, '[redacted]'],
    ['a@b.example_c@d.example.', '[redacted].'],
    ['Call +1-555-123-4567 or +49 (30) 1234 5678.', 'Call [redacted] or [redacted].'],
    ['0049 30 12345678', '[redacted]'],
    ['(555) 123-4567', '[redacted]'],
    ['+1 555\u2011123\u20114567, 555\u2013123\u20134567', '[redacted], [redacted]'],
    ['+1\u00a0555\u202f123\u200b4567', '[redacted]'],
    ['\uff0b\uff11\uff15\uff15\uff15\uff11\uff12\uff13\uff14\uff15\uff16\uff17', '[redacted]'],
    ['+\u0661\u0665\u0665\u0665 \u0661\u0662\u0663\u0664\u0665\u0666\u0667', '[redacted]'],
    ['call (555)123-4567', 'call [redacted]'],
    ['555\u200b-123 - 4567', '[redacted]'],
    ['https://x.example/?mail=a%40b.example', '[redacted]'],
    ['Order 1234567 of 2025-10-14, 3 + 4 = 7', 'Order 1234567 of 2025-10-14, 3 + 4 = 7'],
  ])('turns %j into %j', (text, expected) => {
    expect(redaction.value(text)).toBe(expected);
  });

  /** Processor time in milliseconds. */
  const costOf = (text: string) => {
    const before = process.cpuUsage();
    expect(redaction.text(text)).toBe(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };

  it.each(['a', '1', 'a.', '+1', 'a@', '%41', 'a1+-'])(
    'takes no longer for %s than for words, many times over',
    (part) => {
      const length = 1_000_000;
      const words = costOf('word '.repeat(length / 5));
      expect(costOf(part.repeat(length / part.length))).toBeLessThan(10 * words + 50);
    },
  );
});

describe('a redacted document contains no secret', () => {
  const secret = 'secret-12345';
  const leaf = fc.constantFrom<Json>(
    secret,
    `x ${secret} y`,
    JSON.stringify({ a: [secret], [secret]: 1 }),
    `{"a":"${secret}","a":"b"}`,
    JSON.stringify(JSON.stringify(secret)),
    `{"a":"secret\\u002d12345"`,
    `["secret\\u002d12345"]`,
  );
  const name = fc.oneof(
    fc.constantFrom(
      'type',
      'encoding',
      'mediatype',
      'mimetype',
      'uuid',
      'created_at',
      'start',
      'body',
      'filename',
      'url',
    ),
    fc.constantFrom(
      'subject',
      'name',
      'duration',
      'parties',
      '__proto__',
      'purpose',
      'redacted',
      secret,
      `my ${secret}`,
    ),
    fc.string(),
  );
  const { value } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      leaf,
      fc.jsonValue({ maxDepth: 1 }).map((value): Json => JSON.parse(JSON.stringify(value))),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(name, tie('value'), { maxKeys: 4 }),
      tie('value').map((value) => JSON.stringify(value)),
      tie('value').map((value) => ({
        encoding: 'base64url',
        mediatype: 'application/json',
        body: base64url(JSON.stringify(value)),
      })),
      fc.string().map((text) => ({ encoding: 'base64url', body: base64url(text + secret) })),
    ),
  }));

  it('from any place of the document', () => {
    fc.assert(
      fc.property(fc.dictionary(name, value), (document) => {
        const input: JsonObject = JSON.parse(JSON.stringify(document));
        for (const output of [
          secrets.document(input),
          secrets.value(input),
          secrets.head(input),
          secrets.part('dialog', [input]),
        ]) {
          const text = JSON.stringify(output);
          expect(text).not.toContain(secret);
          expect(text).not.toMatch(/secret\\+u002d/);
          expect(text).not.toContain(base64url(secret).slice(0, -2));
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('the hash of a content', () => {
  const hash = { content_hash: 'sha512-abc', alg: 'SHA-512', signature: 'abc' };
  const redaction = new Redaction({ mask: [String.raw`\d{4}`] });

  it('is removed with hidden content, since it would confirm a correct guess', () => {
    expect(redaction.part('dialog', [{ type: 'text', body: 'PIN 4711', encoding: 'none', ...hash }])).toEqual([
      { type: 'text', body: 'PIN [redacted]', encoding: 'none' },
    ]);
    const withheld = { type: 'recording', mediatype: 'audio/wav', encoding: 'base64url', body: 'AAAA', ...hash };
    expect(redaction.part('dialog', [withheld])).toEqual([
      { type: 'recording', mediatype: 'audio/wav', encoding: 'base64url', redacted: true },
    ]);
    expect(new Redaction({ drop: ['body'] }).value({ body: 'PIN 4711', ...hash })).toEqual({});
    expect(new Redaction({ drop: ['url'] }).value({ url: 'https://example.com/a', ...hash })).toEqual({});
  });

  it('remains if the content is not redacted', () => {
    for (const entry of [
      { body: 'hello', encoding: 'none', ...hash },
      { url: 'https://example.com/a', ...hash },
    ]) {
      expect(redaction.value(entry)).toEqual(entry);
    }
  });
});

it('has the same digest for rules with the same result', () => {
  const digest = (...rule: ConstructorParameters<typeof Redaction>) => new Redaction(...rule).digest;
  expect(digest({ drop: ['tel', 'Mailto'] })).toBe(digest({ drop: ['mailto', 'tel'], mask: [] }));
  expect(digest({ drop: ['tel'] })).not.toBe(digest({ drop: ['mailto'] }));
  expect(digest({ mask: ['a'] })).not.toBe(digest({ mask: ['a'], replacement: '-' }));
});
