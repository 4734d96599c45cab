import { describe, expect, it } from 'vitest';
import { StreamFields } from './stream-fields.ts';

function unreadables(text: string, size: number): number {
  let count = 0;
  const fields = new StreamFields(() => void (count += 1));
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) fields.push(bytes.subarray(at, at + size));
  return count;
}

describe.each([1, 3, 7, 1000])('lines of an event stream that come in parts of %i bytes', (size) => {
  it('are read as fields', () => {
    const text = ': hi\n\nevent: message\nid: 1\nretry: 5\ndata: {"a":"b"}\n\ndata\n\r\nid\ndata:x\r\n\r\n';
    expect(unreadables(text, size)).toBe(0);
    expect(unreadables(`\ufeff${text}`, size)).toBe(0);
  });

  it.each(['dbta: {}', 'datadata: {}', 'eventmessage', 'x', '{"a":"b"}', ' data: {}'])('may not be %j', (line) => {
    expect(unreadables(`data: a\n${line}\n\ndata: b\n\n`, size)).toBe(1);
  });
});
