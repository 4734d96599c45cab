import { describe, expect, it } from 'vitest';
import { bridged, decodedUri } from './bridge.ts';

const text = (value: string, mimeType?: string) => ({ uri: 'a://b', text: value, ...(mimeType && { mimeType }) });
const textOf = ({ body }: { body: Uint8Array }) => Buffer.from(body).toString();

describe('a read as a response', () => {
  it.each([
    [undefined, 'text/plain; charset=utf-8'],
    ['text/html', 'text/html; charset=utf-8'],
    ['text/html; charset=latin1', 'text/html; charset=latin1'],
    ['text/html\r\nSet-Cookie: a=b', 'text/plain; charset=utf-8'],
  ])('of the type %j has the header %j', (mimeType, type) => {
    expect(bridged({ contents: [text('x', mimeType)] }).type).toBe(type);
  });

  it('has the bytes of binary content', () => {
    const blob = Buffer.from([0, 255]).toString('base64');
    const { body, type } = bridged({ contents: [{ uri: 'a://b', blob }] });
    expect([...body]).toEqual([0, 255]);
    expect(type).toBe('application/octet-stream');
  });

  it.each([[[]], [[text('x'), text('y')]]])('has the JSON of MCP for %j', (contents) => {
    const answer = bridged({ contents });
    expect(answer.type).toContain('application/json');
    expect(JSON.parse(textOf(answer))).toEqual({ contents });
  });

  it('has an ETag that depends on the content and its type', () => {
    const etag = (value: string, mimeType: string) => bridged({ contents: [text(value, mimeType)] }).etag;
    expect(etag('x', 'text/plain')).toBe(etag('x', 'text/plain'));
    expect(etag('x', 'text/plain')).not.toBe(etag('y', 'text/plain'));
    expect(etag('x', 'text/plain')).not.toBe(etag('x', 'text/html'));
  });
});

it('a malformed percent-escape in a URI is refused with advice', () => {
  expect(decodedUri('note%3A%2F%2Fa')).toBe('note://a');
  expect(() => decodedUri('note://100%')).toThrow('write a plain % as %25');
});
