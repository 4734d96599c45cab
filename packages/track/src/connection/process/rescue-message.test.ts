import { describe, expect, it } from 'vitest';
import { mayHaveBeenMessage, rescueMessage } from './rescue-message.ts';

const message = { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'raw://r/1' } };
const text = JSON.stringify(message);

describe('a line that is not a message', () => {
  it.each([
    ['text', `loading… 42%${text}`],
    ['a brace', `state = { a: 1 } ${text}`],
    ['other JSON', `{"level":"info"}${text}`],
    ['half a message', `{"jsonrpc":"2.0","meth${text}`],
    ['a message with its fields in another order', 'x{"id":1,"jsonrpc":"2.0","result":{}}'],
  ])('yields the message after %s', (_, line) => {
    expect(rescueMessage(line)).toMatchObject({ jsonrpc: '2.0' });
  });

  it.each([
    ['text', 'Server is ready', false],
    ['a record of a log', '{"level":"info","msg":"ready"}', false],
    ['half a message', '{"jsonrpc":"2.0","method":"notif', true],
    ['the other half', 'ications/resources/updated"}}', true],
    ['a message with text after it', `${text} done`, true],
  ])('of %s yields none', (_, line, isDoubtful) => {
    expect(rescueMessage(line)).toBeUndefined();
    expect(mayHaveBeenMessage(line)).toBe(isDoubtful);
  });

  it('yields no message that is nested too deep after a quotation mark', () => {
    const deep = `{"jsonrpc":"2.0","id":1,"result":{"a":${'['.repeat(5000)}${']'.repeat(5000)}}}`;
    expect(rescueMessage(`say "${deep}`)).toBeUndefined();
  });

  it('is parsed at most eight times', () => {
    const message = { jsonrpc: '2.0', id: 1, result: {} };
    const lineWith = (beginnings: number) => '{"id":['.repeat(beginnings) + JSON.stringify(message);
    expect(rescueMessage(lineWith(7))).toEqual(message);
    expect(rescueMessage(lineWith(8))).toBeUndefined();
  });
});
