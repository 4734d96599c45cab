import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { asSent, withRawInMeta } from './raw-results.ts';

type Fields = Record<string, unknown>;
const message = (result: Fields): JSONRPCMessage => ({ jsonrpc: '2.0', id: 1, result });
/** The result as the SDK gets it. */
const given = (result: Fields): Fields => {
  const passed = withRawInMeta(message(result));
  if (!('result' in passed)) throw new Error('It has no result.');
  return passed.result;
};
const isKept = (result: Fields) => asSent(given(result)) !== given(result);
const passesAsItIs = (result: Fields) => {
  const sent = message(result);
  return withRawInMeta(sent) === sent;
};

const text = { type: 'text', text: 'x' };
const image = { type: 'image', data: 'AA==', mimeType: 'image/png' };
const link = {
  type: 'resource_link',
  uri: 'a://b',
  name: 'n',
  title: 't',
  description: 'd',
  mimeType: 'm',
  size: 1,
  icons: [],
};
const embedded = { type: 'resource', resource: { uri: 'a://b', mimeType: 'm', text: 'x', blob: 'AA==', _meta: {} } };
const annotations = { audience: ['user'], priority: 1, lastModified: '2026-01-01T00:00:00Z' };
const tool = { name: 't', inputSchema: { type: 'object' } };

describe('a message passes as it is', () => {
  it.each<[what: string, result: Fields]>([
    ['with all known content', { content: [text, image, { ...image, type: 'audio' }, link, embedded] }],
    ['with annotations and _meta', { content: [{ ...text, annotations, _meta: { any: [1] } }] }],
    ['with no content', { content: [] }],
    ['with other members beside its content', { content: [text], other: 1, isError: true }],
    ['with structured content', { content: [], structuredContent: { a: [1] } }],
    ['with messages of a prompt', { messages: [{ role: 'user', content: text }], description: 'x' }],
    ['with contents of a resource', { contents: [{ uri: 'a://b', text: 'x', _meta: {} }] }],
    ['with a list of a 2025-era server, whatever is in it', { tools: [{ odd: 1 }] }],
    ['with a valid list of a modern server', { resultType: 'complete', tools: [tool] }],
    ['of a modern server, with neither content nor a list', { resultType: 'complete', more: 1 }],
    ['with an invalid _meta', { content: [{ type: 'odd' }], _meta: 'x' }],
    ['with questions', { resultType: 'input_required', content: [{ type: 'odd' }] }],
    ['without anything', {}],
  ])('%s', (_, result) => {
    expect(passesAsItIs(result)).toBe(true);
    expect(asSent(result)).toBe(result);
  });

  it('if it has no result', () => {
    const others: JSONRPCMessage[] = [
      { jsonrpc: '2.0', method: 'notifications/message' },
      { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x', data: { content: [{ type: 'odd' }] } } },
    ];
    for (const other of others) expect(withRawInMeta(other)).toBe(other);
  });
});

describe('the result is kept as the server sent it', () => {
  const odd: [what: string, block: unknown][] = [
    ['another type', { type: 'video', data: 'x' }],
    ['a type that every object inherits', { type: 'constructor' }],
    ['the type __proto__', JSON.parse('{"type":"__proto__"}')],
    ['no type', { text: 'x' }],
    ['a type that is not text', { type: 7 }],
    ['another member', { ...text, more: 1 }],
    ['a member named __proto__', JSON.parse('{"type":"text","text":"x","__proto__":{}}')],
    ['a member of another type', { ...text, data: 'x' }],
    ['another annotation', { ...text, annotations: { ...annotations, more: 1 } }],
    ['annotations that are a list', { ...text, annotations: [] }],
    ['another member of an embedded resource', { ...embedded, resource: { ...embedded.resource, title: 'x' } }],
    ['a resource that is not an object', { type: 'resource', resource: null }],
    ['nothing in it', null],
    ['a text for a block', 'text'],
    ['a list for a block', [text]],
  ];
  it.each(odd)('where content has %s', (_, block) => {
    const result = { content: [text, block], structuredContent: { a: 1 }, isError: true, other: 1, _meta: { b: 2 } };
    expect(given(result)).toMatchObject({ content: [], structuredContent: undefined, isError: true, _meta: { b: 2 } });
    expect(asSent(given(result))).toEqual(result);
  });

  it.each(odd)('where a message of a prompt has %s', (_, block) => {
    const result = { messages: [{ role: 'user', content: block }] };
    expect(given(result)['messages']).toEqual([]);
    expect(asSent(given(result))).toEqual(result);
  });

  it.each<[what: string, result: Fields]>([
    ['structured content is a list', { content: [text], structuredContent: [1] }],
    ['structured content is null', { content: [text], structuredContent: null }],
    ['structured content is a number', { content: [], structuredContent: 0 }],
    ['a message has another member', { messages: [{ role: 'user', content: text, more: 1 }] }],
    ['a message is not an object', { messages: [null] }],
    ['a message has a list for its content', { messages: [{ role: 'user', content: [text] }] }],
    ['contents have another member', { contents: [{ uri: 'a://b', text: 'x', title: 't' }] }],
    ['contents are not objects', { contents: ['x'] }],
  ])('where %s', (_, result) => {
    expect(isKept(result)).toBe(true);
    expect(asSent(given(result))).toEqual(result);
  });

  it.each(['tools', 'prompts', 'resources', 'resourceTemplates'])(
    'where a modern list of %s has an invalid item, without which the SDK gets it',
    (member) => {
      const item = { ...tool, uri: 'a://b', uriTemplate: 'a://{b}' };
      const result = { resultType: 'complete', [member]: [{ more: 1 }, item, null], nextCursor: 'x' };
      expect(given(result)).toMatchObject({ [member]: [item], nextCursor: 'x', resultType: 'complete' });
      const { resultType: _, ...raw } = result;
      expect(asSent(given(result))).toEqual(raw);
    },
  );
});

it('what is kept is not written to the wire, and cannot come from there', () => {
  const result = { content: [{ type: 'video' }] };
  expect(JSON.stringify(given(result))).not.toContain('video');
  const forged = { content: [], _meta: { 'tidings/raw': { result: { content: [{ type: 'video' }] } } } };
  expect(asSent(forged)).toBe(forged);
  expect(asSent({ ...forged, _meta: ['tidings/raw'] })).toEqual({ ...forged, _meta: ['tidings/raw'] });
});
