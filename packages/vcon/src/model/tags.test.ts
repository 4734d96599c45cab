import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from './json.ts';
import { tagsOf, withTags } from './tags.ts';

const list = ['department:support', 'link:https://example.com/a', 'empty:'];
const tags = { department: 'support', link: 'https://example.com/a', empty: '' };

describe('tags', () => {
  it.each<Json>([
    { type: 'tags', body: list },
    { purpose: 'tags', body: list },
    { type: 'tags', encoding: 'json', body: JSON.stringify(list) },
    { type: 'tags', encoding: 'json', body: tags },
    { type: 'tags', encoding: 'json', body: JSON.stringify(tags) },
    { type: 'tags', encoding: 'base64url', body: Buffer.from(JSON.stringify(list)).toString('base64url') },
  ])('are read from %j', (attachment) => {
    expect(tagsOf([{ type: 'document' }, attachment])).toEqual(tags);
  });

  it.each<Json | undefined>([
    undefined,
    null,
    'tags',
    [],
    [null],
    [{ type: 'document', body: list }],
    [{ type: 'tags' }],
    [{ type: 'tags', body: 'not json' }],
    [{ type: 'tags', body: 7 }],
    [{ type: 'tags', body: ['no colon', ':no name', 7, null] }],
    [{ type: 'tags', encoding: 'base64url', body: '!' }],
  ])('are none in %j', (attachments) => {
    expect(tagsOf(attachments)).toEqual({});
  });

  it('may have the names of Object.prototype', () => {
    const read = tagsOf([{ type: 'tags', body: ['__proto__:a', 'constructor:b'] }]);
    expect(Object.entries(read)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
    const written = withTags([{ type: 'tags', body: {} }], () => read);
    expect(Object.entries(tagsOf(JSON.parse(JSON.stringify(written))))).toEqual(Object.entries(read));
  });
});

describe('changed tags', () => {
  it('are added to a document without tags', () => {
    const other = { type: 'document', body: 'x' };
    expect(withTags([other], () => ({ a: '1' }))).toEqual([other, { type: 'tags', encoding: 'json', body: ['a:1'] }]);
  });

  it.each<[Json, Json]>([
    [['a:1'], ['a:1', 'b:2']],
    [{ a: 1 }, { a: 1, b: '2' }],
    ['["a:1"]', '["a:1","b:2"]'],
    ['{"a":"1"}', '{"a":"1","b":"2"}'],
    ['broken', '["b:2"]'],
    [
      ['vip', 'a:1'],
      ['vip', 'a:1', 'b:2'],
    ],
  ])('keep position, fields and style of %j', (body, changed) => {
    const [before, after] = [{ type: 'document' }, { purpose: 'x', body: [] }];
    const attachments = withTags([before, { purpose: 'tags', extra: [1], body }, after], (old) => ({ ...old, b: '2' }));
    expect(attachments).toEqual([before, { purpose: 'tags', extra: [1], body: changed }, after]);
  });

  it('stay encoded if they were', () => {
    const body = Buffer.from('["a:1"]').toString('base64url');
    const [attachment] = withTags([{ type: 'tags', encoding: 'base64url', body }], (old) => ({ ...old, b: '2' }));
    expect(attachment).toMatchObject({ encoding: 'base64url' });
    expect(tagsOf([attachment ?? null])).toEqual({ a: '1', b: '2' });
  });

  it('have names that can be read back', () => {
    expect(() => withTags([], () => ({ 'a:b': 'c' }))).toThrow('has no colon');
    expect(() => withTags([], () => ({ ' ': 'c' }))).toThrow('not empty');
  });

  it('are read back unchanged, in every style', () => {
    const name = fc.string().filter((text) => text !== '' && text === text.trim() && !text.includes(':'));
    const value = fc.string().map((text) => text.trim());
    const style = fc.constantFrom<Json>([], {}, '[]', '{}', 'broken');
    fc.assert(
      fc.property(fc.dictionary(name, value), style, (tags, body) => {
        expect(tagsOf(withTags([{ type: 'tags', body }], () => tags))).toEqual({ ...tags });
      }),
    );
  });
});
