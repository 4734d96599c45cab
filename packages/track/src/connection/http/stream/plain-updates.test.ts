import { expect, it } from 'vitest';
import { PlainUpdates } from './plain-updates.ts';

const update = (uri: string, more = {}) =>
  JSON.stringify({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri, ...more } });
const event = (data: string) => `event: message\ndata: ${data}\n\n`;
const bytes = (text: string) => new TextEncoder().encode(text);

function setup() {
  const taken: string[] = [];
  const state = { isOpen: true };
  const updates = new PlainUpdates((uri) => {
    if (state.isOpen) taken.push(uri);
    return state.isOpen;
  });
  return { taken, state, take: (text: string) => updates.take(bytes(text)) };
}

it('accepts a chunk of updates with any characters', () => {
  const { taken, take } = setup();
  const subscription = { _meta: { 'io.modelcontextprotocol/subscriptionId': 1 } };
  expect(take(event(update('note://1')))).toBe(true);
  expect(take(`data: ${update('note://2', subscription)}\n\n${event(update('note://São 😀'))}`)).toBe(true);
  expect(taken).toEqual(['note://1', 'note://2', 'note://São 😀']);
});

it.each([
  ['a comment', ': keep-alive\n\n'],
  ['another message behind an update', event(update('note://1')) + event('{"jsonrpc":"2.0","id":1,"result":{}}')],
  ['a comment behind an update', `${event(update('note://1'))}: keep-alive\n\n`],
  ['an event with an id, by which the stream may be resumed', `id: 7\n${event(update('note://1'))}`],
  ['an event of another name', `event: other\ndata: ${update('note://1')}\n\n`],
  ['an update on several lines', `data: {"jsonrpc":"2.0",\ndata: "method":"x"}\n\n`],
  ['an update with a member that is not known', event(update('note://1').replace('{', '{"id":null,'))],
  ['what is no JSON', event('{')],
  ['a byte order mark', `\ufeff${event(update('note://1'))}`],
  ['nothing', ''],
])('leaves %s to the SDK', (_, chunk) => {
  const { taken, take } = setup();
  expect(take(chunk)).toBe(false);
  expect(taken).toEqual([]);
});

it('leaves a chunk that begins within an event to the SDK', () => {
  const { taken, take } = setup();
  const whole = event(update('note://1'));
  // The rest looks like an event, but is the second line of one.
  expect(take('event: message\n')).toBe(false);
  expect(take(`data: ${update('note://1')}\n\n`)).toBe(false);
  expect(take(whole.slice(0, -1))).toBe(false);
  expect(take('\n')).toBe(false);
  expect(taken).toEqual([]);
  // The SDK has complete events again.
  expect([take(whole), take(whole)]).toEqual([false, true]);
});

it('leaves updates to the SDK while they are not handled', () => {
  const { taken, state, take } = setup();
  state.isOpen = false;
  expect(take(event(update('note://1')))).toBe(false);
  state.isOpen = true;
  expect(take(event(update('note://2')))).toBe(true);
  expect(taken).toEqual(['note://2']);
});
