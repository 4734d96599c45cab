import { type CallToolResult, type Implementation, SERVER_INFO_META_KEY } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { PlainResults } from './plain-result.ts';

const info: Implementation = { name: 'server', version: '1' };
const own = { [SERVER_INFO_META_KEY]: info };
const results = new PlainResults(() => info);
type Result = Parameters<PlainResults['complete']>[0];
const contents = [{ uri: 'a://"\u2028😀', text: '\u0000\ud800' }];
const text: CallToolResult['content'] = [{ type: 'text', text: 'x' }];

describe('a read or a list', () => {
  it.each<[what: string, result: Result, completed: object]>([
    ['without anything else', { contents }, { ttlMs: 0, cacheScope: 'private', _meta: own }],
    ['with a time to live', { contents, ttlMs: 5, cacheScope: 'public' }, { _meta: own }],
    ['that is empty', { resources: [] }, { ttlMs: 0, cacheScope: 'private', _meta: own }],
    ['with a cursor', { resources: [], nextCursor: '' }, { ttlMs: 0, cacheScope: 'private', _meta: own }],
    ['with _meta', { contents, _meta: { a: [1] } }, { ttlMs: 0, cacheScope: 'private', _meta: { a: [1], ...own } }],
    [
      'of a server behind a gateway, which keeps its name',
      { contents, _meta: { [SERVER_INFO_META_KEY]: { name: 'other', version: '2' } } },
      { ttlMs: 0, cacheScope: 'private' },
    ],
  ])('%s is completed, and its JSON is the same', (_, result, completed) => {
    const expected = { ...result, resultType: 'complete', ...completed };
    const before = JSON.stringify(result);
    expect(results.complete(result)).toEqual(expected);
    expect(JSON.parse(results.json(result) ?? '')).toEqual(JSON.parse(JSON.stringify(expected)));
    expect(JSON.stringify(result)).toBe(before);
  });

  it('leaves out members without JSON', () => {
    const result: Result = { resources: [] };
    Object.assign(result, { nextCursor: undefined });
    expect(JSON.parse(results.json(result) ?? '')).not.toHaveProperty('nextCursor');
  });

  it.each<[more: object]>([
    [{ more: 1 }],
    [{ resultType: 'complete' }],
    [{ ttlMs: -1 }],
    [{ ttlMs: 1.5 }],
    [{ ttlMs: '5' }],
    [{ ttlMs: undefined }],
    [{ ttlMs: 2 ** 53 }],
    [{ cacheScope: 'shared' }],
    [{ cacheScope: null }],
    [{ _meta: null }],
    [{ _meta: [] }],
    [{ constructor: 1 }],
    [JSON.parse('{"__proto__":1}')],
  ])('with %j is validated by the SDK', (more) => {
    const result: Result = { contents };
    for (const [key, value] of Object.entries(more))
      Object.defineProperty(result, key, { value, enumerable: true, configurable: true, writable: true });
    expect(results.complete(result)).toBeUndefined();
    expect(results.json(result)).toBeUndefined();
  });
});

describe('the result of a tool', () => {
  it.each<[result: CallToolResult, json: object]>([
    [{ content: [] }, { content: [] }],
    [
      { content: text, structuredContent: { a: [1] }, isError: false },
      { content: text, structuredContent: { a: [1] }, isError: false },
    ],
    [{ content: text, resultType: 'complete' }, { content: text }],
  ])('%j is written with the name of the server at its end', (result, json) => {
    const written = results.callJson(result, undefined);
    expect(written).toBe(JSON.stringify({ ...json, resultType: 'complete', _meta: own }));
  });

  it('has its own _meta at its beginning, as the SDK writes it', () => {
    const result: CallToolResult = { content: [], _meta: { a: 1 } };
    const written = JSON.stringify({ _meta: { a: 1, ...own }, content: [], resultType: 'complete' });
    expect(results.callJson(result, undefined)).toBe(written);
  });

  it.each<[what: string, more: object]>([
    ['another member', { more: 1 }],
    ['a question', { resultType: 'input_required' }],
    ['no list for its content', { content: 'x' }],
    ['an odd isError', { isError: 'yes' }],
    ['structured content that is undefined', { structuredContent: undefined }],
    ['structured content without JSON', { structuredContent: () => 1 }],
    ['_meta that is a list', { _meta: [] }],
  ])('with %s is validated by the SDK', (_, more) => {
    const result: CallToolResult = { content: [] };
    expect(results.callJson(Object.assign(result, more), undefined)).toBeUndefined();
  });

  it('without content is validated by the SDK', () => {
    const result: CallToolResult = { content: [], structuredContent: {} };
    Reflect.deleteProperty(result, 'content');
    expect(results.callJson(result, undefined)).toBeUndefined();
  });

  it('must match the output of the tool, unless it is an error', () => {
    const output = z.object({ n: z.number() });
    expect(results.callJson({ content: [], structuredContent: { n: 1 } }, output)).toContain('"n":1');
    expect(results.callJson({ content: [], structuredContent: { n: 'x' } }, output)).toBeUndefined();
    expect(results.callJson({ content: [] }, output)).toBeUndefined();
    expect(results.callJson({ content: [], isError: false }, output)).toBeUndefined();
    expect(results.callJson({ content: [], isError: true }, output)).toContain('"isError":true');
    const later = output.refine(async () => true);
    const { validate } = later['~standard'];
    const standard = Object.assign(z.object({ n: z.number() }), { '~standard': { ...output['~standard'], validate } });
    expect(results.callJson({ content: [], structuredContent: { n: 1 } }, standard)).toBeUndefined();
  });
});

describe('the result of another server', () => {
  it.each<[result: Record<string, unknown>, passed: object]>([
    [{}, { resultType: 'complete', _meta: own }],
    [
      { 'a"b': 1, u: undefined },
      { 'a"b': 1, resultType: 'complete', _meta: own },
    ],
    [
      { resultType: 'odd', content: [] },
      { content: [], resultType: 'complete', _meta: own },
    ],
    [
      { _meta: { a: 1 }, b: 2 },
      { b: 2, resultType: 'complete', _meta: { a: 1, ...own } },
    ],
    [{ _meta: null }, { resultType: 'complete', _meta: own }],
    [JSON.parse('{"__proto__":{"a":1}}'), JSON.parse(`{"__proto__":{"a":1},"resultType":"complete"}`)],
  ])('%j passes with all its members', (result, passed) => {
    expect(JSON.stringify({ ...JSON.parse(results.passedJson(result)), _meta: 0 })).toBe(
      JSON.stringify({ ...passed, _meta: 0 }),
    );
    if ('_meta' in passed) expect(JSON.parse(results.passedJson(result))._meta).toEqual(passed._meta);
  });

  it('keeps the name of that server', () => {
    const _meta = { [SERVER_INFO_META_KEY]: { name: 'other', version: '2' } };
    expect(JSON.parse(results.passedJson({ _meta }))._meta).toEqual(_meta);
  });
});

it('a new name of the server is written from then on', () => {
  let current = info;
  const changing = new PlainResults(() => current);
  expect(changing.json({ contents: [] })).toContain('"name":"server"');
  current = { name: 'renamed', version: '2' };
  expect(changing.json({ contents: [] })).toContain('"name":"renamed"');
  expect(changing.callJson({ content: [] }, undefined)).toContain('"name":"renamed"');
});
