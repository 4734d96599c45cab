import { describe, expect, it } from 'vitest';
import { documentSchema, readDocument } from './read-document.ts';

describe('the text of a file', () => {
  it.each([
    ['{"servers":[]}', { servers: [] }],
    ['\uFEFF{"servers":[]}', { servers: [] }],
    ['// ours\n{"servers":[ /* none */ ],}', { servers: [] }],
    ['{"servers":[{"id":"\\u00e4\\ud83d\\ude00"}]}', { servers: [{ id: 'ä😀' }] }],
    ['[]', []],
    ['null', null],
    ['"servers"', 'servers'],
  ])('%j is read as %j', (text, value) => {
    expect(readDocument(text)).toEqual(value);
  });

  it.each([
    ['', 'value expected at line 1, column 1'],
    [' \n', 'value expected at line 2, column 1'],
    ['{"a":\n  secret}', 'invalid symbol at line 2, column 3'],
    ['\uFEFF{"a" 1}', 'colon expected at line 1, column 6'],
    ['{"a":1 "b":2}', 'comma expected at line 1, column 8'],
    ['{"a":1', 'close brace expected at line 1, column 7'],
    ['{}{}', 'end of file expected at line 1, column 3'],
    ['{"a":"\\x"}', 'invalid escape character at line 1, column 6'],
  ])('%j is not JSON: %s', (text, message) => {
    expect(() => readDocument(text)).toThrow(new Error(message));
  });

  it('is not quoted in the error, since it may contain a secret', () => {
    expect(() => readDocument('{"Authorization": Bearer-s3cret}')).not.toThrow('s3cret');
  });
});

describe('the map of another host', () => {
  it.each<[text: string, value: unknown]>([
    ['{"mcpServers":{"a":{}},"theme":"dark","numStartups":7}', { mcpServers: { a: {} } }],
    ['{"servers":{"a":{}},"theme":"dark"}', { mcpServers: { a: {} } }],
    ['{"mcpServers":{},"inputs":[],"tokens":[]}', { mcpServers: {}, inputs: [], tokens: [] }],
    // One letter is missing: a typing error of ours, which must be reported.
    ['{"mcpServers":{},"token":[]}', { mcpServers: {}, token: [] }],
  ])('%s has only the settings of the hub: %j', (text, value) => {
    expect(readDocument(text)).toEqual(value);
  });

  it.each<[text: string]>([
    ['{"servers":[],"theme":"dark"}'],
    ['{"servers":[],"mcpServers":{},"theme":"dark"}'],
    ['{"servers":{},"mcpServers":{},"theme":"dark"}'],
    ['{"theme":"dark"}'],
  ])('%s is not one, and keeps everything', (text) => {
    expect(readDocument(text)).toEqual(JSON.parse(text));
  });

  it('keeps inherited names out', () => {
    expect(readDocument('{"mcpServers":{},"constructor":1,"toString":2}')).toEqual({ mcpServers: {} });
  });
});

describe('the settings', () => {
  it.each<[settings: object]>([
    [{}],
    [{ hosts: ['tidings.example.com', 'a_b'], proxies: ['127.0.0.1', '::1'], cors: ['http://localhost:1'] }],
    [{ hostPrefix: '' }],
    [{ hostPrefix: 'x'.repeat(32) }],
    [{ audit: false }],
    [{ answerWithinSeconds: 1 }],
    [{ answerWithinSeconds: 3600 }],
    [{ realtime: ['ws://x', 'wss://x', 'http://x', 'https://x'] }],
  ])('%j are accepted', (settings) => {
    expect(documentSchema.safeParse(settings).error).toBeUndefined();
  });

  it.each<[settings: object, path: string]>([
    [{ other: 1 }, ''],
    [{ hosts: ['tidings.example.com:80'] }, 'hosts/0'],
    [{ hosts: ['x\n'] }, 'hosts/0'],
    [{ proxies: ['localhost'] }, 'proxies/0'],
    [{ cors: ['ftp://x'] }, 'cors/0'],
    [{ cors: ['*'] }, 'cors/0'],
    [{ hostPrefix: 'x'.repeat(33) }, 'hostPrefix'],
    [{ hostPrefix: 'a.b' }, 'hostPrefix'],
    [{ audit: true }, 'audit'],
    [{ answerWithinSeconds: 0 }, 'answerWithinSeconds'],
    [{ answerWithinSeconds: 3601 }, 'answerWithinSeconds'],
    [{ realtime: ['ftp://x'] }, 'realtime/0'],
    [{ oauth: { issuers: [] } }, 'oauth/issuers'],
    [{ servers: {} }, 'servers'],
    [{ mcpServers: { a: 'x' } }, 'mcpServers/a'],
  ])('%j are refused at "%s"', (settings, path) => {
    expect(documentSchema.safeParse(settings).error?.issues.map((issue) => issue.path.join('/'))).toEqual([path]);
  });

  it('keep the inputs that can be read, and ignore the others', () => {
    const inputs = [{ id: 'a', description: 7, default: 'x', type: 'promptString' }, { id: 7 }, 'a', null];
    expect(documentSchema.parse({ inputs }).inputs).toEqual([{ id: 'a', description: undefined, default: 'x' }]);
    expect(documentSchema.parse({ inputs: 'a' }).inputs).toEqual([]);
  });
});
