import {
  BAGGAGE_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  TRACEPARENT_META_KEY,
  TRACESTATE_META_KEY,
} from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { modernVersion } from '../../portable/protocol-version.ts';
import { plainRequest } from './plain-request.ts';

type Fields = Record<string, unknown>;
const client = { name: 'c', version: '1' };
const required = { [PROTOCOL_VERSION_META_KEY]: modernVersion, [CLIENT_CAPABILITIES_META_KEY]: {} };
const message = (method: string, params: Fields, meta: Fields = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: { _meta: { ...required, ...meta }, ...params },
});
const read = (meta: Fields = {}) => message('resources/read', { uri: 'a://b' }, meta);
const call = (meta: Fields = {}) => message('tools/call', { name: 't', arguments: {} }, meta);
/** As a client sends it, with members such as `__proto__`. */
const withMember = (sent: object, place: string, member: string): unknown =>
  JSON.parse(JSON.stringify(sent).replace(`"${place}":{`, `"${place}":{${member}${place === 'x' ? '' : ','}`));

describe('is answered without the SDK:', () => {
  it('a read', () => {
    const sent = message('resources/read', { uri: '' });
    const { params } = sent;
    expect(plainRequest(sent)).toEqual({
      id: 1,
      params,
      client: undefined,
      method: 'resources/read',
      uri: '',
      isTraced: false,
    });
  });

  it.each([undefined, '', 'x'.repeat(10_000)])('a list from the cursor %j', (cursor) => {
    const sent = message('resources/list', cursor === undefined ? {} : { cursor });
    expect(plainRequest(sent)).toMatchObject({ method: 'resources/list', cursor });
  });

  it('a listen', () => {
    const notifications = { resourceSubscriptions: ['a://b', ''], toolsListChanged: true, promptsListChanged: false };
    expect(plainRequest(message('subscriptions/listen', { notifications }))).toMatchObject({ filter: notifications });
    expect(plainRequest(message('subscriptions/listen', { notifications: {} }))).toMatchObject({ filter: {} });
  });

  it('a call', () => {
    const sent = message('tools/call', { name: '__proto__', arguments: { constructor: 1 } }, { progressToken: 0 });
    expect(plainRequest(sent)).toMatchObject({
      name: '__proto__',
      args: { constructor: 1 },
      progressToken: 0,
      capabilities: {},
      meta: { progressToken: 0 },
    });
    expect(plainRequest(call())).toMatchObject({ progressToken: undefined });
  });

  it.each(['x', '', 0, -1, Number.MAX_SAFE_INTEGER])('one with the id %j', (id) => {
    expect(plainRequest({ ...read(), id })).toMatchObject({ id });
  });

  it('one with the name of its client', () => {
    const named = { ...client, title: 't', description: 'd', websiteUrl: 'w' };
    expect(plainRequest(read({ [CLIENT_INFO_META_KEY]: named }))).toMatchObject({ client: named });
  });

  it.each([TRACEPARENT_META_KEY, TRACESTATE_META_KEY, BAGGAGE_META_KEY])('one that is traced by %s', (key) => {
    expect(plainRequest(read({ [key]: '' }))).toMatchObject({ isTraced: true });
  });

  it.each<[capabilities: Fields]>([
    [{ roots: {} }],
    [{ roots: { listChanged: false } }],
    [{ sampling: { context: {}, tools: {} } }],
    [{ elicitation: { form: {}, url: {} } }],
    [{ experimental: { a: {}, b: { c: 'x', d: true, e: 1.5, f: ['x'] } }, extensions: {} }],
  ])('one of a client that can %j', (capabilities) => {
    expect(plainRequest(call({ [CLIENT_CAPABILITIES_META_KEY]: capabilities }))).toMatchObject({ capabilities });
  });
});

describe('goes to the SDK:', () => {
  const others: [what: string, sent: unknown][] = [
    ['nothing', undefined],
    ['null', null],
    ['a batch', [read()]],
    ['text', 'x'],
    ['another version of JSON-RPC', { ...read(), jsonrpc: '1.0' }],
    ['no version of JSON-RPC', { ...read(), jsonrpc: undefined }],
    ['a notification', { ...read(), id: undefined }],
    ['an id that is null', { ...read(), id: null }],
    ['an id with a fraction', { ...read(), id: 1.5 }],
    ['an id that is not exact', { ...read(), id: 2 ** 53 }],
    ['another member of the message', { ...read(), more: 1 }],
    ['a result', { jsonrpc: '2.0', id: 1, result: {} }],
    ['another method', message('resources/subscribe', { uri: 'a://b' })],
    ['a method named as a member of every object', message('constructor', {})],
    ['no params', { ...read(), params: undefined }],
    ['a list for params', { ...read(), params: [] }],
    ['no _meta', { ...read(), params: { uri: 'a://b' } }],
    ['a list for _meta', { ...read(), params: { uri: 'a://b', _meta: [] } }],
    ['another version of the protocol', read({ [PROTOCOL_VERSION_META_KEY]: '2025-11-25' })],
    ['no version of the protocol', read({ [PROTOCOL_VERSION_META_KEY]: undefined })],
    ['a log level', read({ 'io.modelcontextprotocol/logLevel': 'info' })],
    ['another member of _meta', read({ more: 1 })],
    ['a trace that is not text', read({ [TRACEPARENT_META_KEY]: 7 })],
    ['a read with a progress token', read({ progressToken: 1 })],
    ['a call with an odd progress token', call({ progressToken: 1.5 })],
    ['a read without a URI', message('resources/read', {})],
    ['a read of a list of URIs', message('resources/read', { uri: ['a://b'] })],
    ['a read with another member', message('resources/read', { uri: 'a://b', name: 'x' })],
    ['a list with a cursor that is null', message('resources/list', { cursor: null })],
    ['a list with a cursor that is undefined', message('resources/list', { cursor: undefined })],
    ['a list with another member', message('resources/list', { uri: 'a://b' })],
    ['a listen without a filter', message('subscriptions/listen', {})],
    ['a listen with a list for a filter', message('subscriptions/listen', { notifications: [] })],
    ['a listen with another member', message('subscriptions/listen', { notifications: {}, uri: 'a://b' })],
    ['a filter with another member', message('subscriptions/listen', { notifications: { more: true } })],
    ['a filter that is not true or false', message('subscriptions/listen', { notifications: { toolsListChanged: 1 } })],
    ['a filter with one URI', message('subscriptions/listen', { notifications: { resourceSubscriptions: 'a://b' } })],
    ['a filter with odd URIs', message('subscriptions/listen', { notifications: { resourceSubscriptions: ['a', 7] } })],
    ['a call without a name', message('tools/call', { arguments: {} })],
    ['a call without arguments', message('tools/call', { name: 't' })],
    ['a call with a list for arguments', message('tools/call', { name: 't', arguments: [] })],
    ['a call with another member', message('tools/call', { name: 't', arguments: {}, task: {} })],
  ];
  it.each(others)('%s', (_, sent) => {
    expect(plainRequest(sent)).toBeUndefined();
  });

  it.each<[clientInfo: unknown]>([
    [null],
    ['c'],
    [{}],
    [{ name: 'c' }],
    [{ version: '1' }],
    [{ ...client, name: 7 }],
    [{ ...client, title: null }],
    [{ ...client, icons: [] }],
  ])('the client %j', (clientInfo) => {
    expect(plainRequest(read({ [CLIENT_INFO_META_KEY]: clientInfo }))).toBeUndefined();
  });

  it.each<[capabilities: unknown]>([
    [undefined],
    [null],
    [[]],
    [{ more: {} }],
    [{ constructor: {} }],
    [{ roots: true }],
    [{ roots: { listChanged: 1 } }],
    [{ roots: { more: true } }],
    [{ sampling: { form: {} } }],
    [{ sampling: { context: true } }],
    [{ sampling: { tools: { a: 1 } } }],
    [{ elicitation: { context: {} } }],
    [{ elicitation: { url: null } }],
    [{ experimental: { a: true } }],
    [{ experimental: { a: { b: null } } }],
    [{ extensions: { a: { b: { c: 1 } } } }],
    [{ extensions: { a: { b: ['x', 1] } } }],
  ])('a client that can %j', (capabilities) => {
    expect(plainRequest(call({ [CLIENT_CAPABILITIES_META_KEY]: capabilities }))).toBeUndefined();
  });

  it.each([
    ['params', '"__proto__":{}'],
    ['_meta', '"__proto__":{}'],
    ['notifications', '"__proto__":{}'],
    ['resources', '"__proto__":{}'],
  ])('a member of %s named __proto__: %s', (place, member) => {
    const sent = message(
      'subscriptions/listen',
      { notifications: { resourceSubscriptions: [] } },
      { [CLIENT_CAPABILITIES_META_KEY]: { extensions: { resources: { a: 1 } } } },
    );
    expect(plainRequest(JSON.parse(JSON.stringify(sent)))).toBeDefined();
    expect(plainRequest(withMember(sent, place, member))).toBeUndefined();
  });
});
