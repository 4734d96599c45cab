import { isJSONRPCNotification, isSpecType, parseJSONRPCMessage } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainMessage, updatedUri } from './plain-message.ts';

const related = 'io.modelcontextprotocol/related-task';
const odd = fc.oneof(fc.jsonValue(), fc.constantFrom('2.0', 1, 1.5, -1, '', null, {}, [], true));
const meta = fc.oneof(
  odd,
  fc.record({ progressToken: odd, [related]: odd, other: odd, ['__proto__']: odd }, { requiredKeys: [] }),
);
const body = fc.oneof(odd, fc.record({ uri: odd, _meta: meta, contents: odd }, { requiredKeys: [] }));
/** Mostly valid, so that accepted messages are generated often enough. */
const message = fc.oneof(
  fc.record({
    jsonrpc: fc.constant('2.0'),
    method: fc.oneof(fc.constant('notifications/resources/updated'), odd),
    params: body,
  }),
  fc.record({ jsonrpc: fc.constant('2.0'), id: odd, result: body }),
  fc.record(
    { jsonrpc: fc.constantFrom('2.0', '1.0'), id: odd, method: odd, params: body, result: body, error: odd, more: odd },
    { requiredKeys: ['jsonrpc'] },
  ),
);

it('accepts only messages that the SDK accepts, with the same result', () => {
  let accepted = 0;
  fc.assert(
    fc.property(message, (generated) => {
      const value: unknown = JSON.parse(JSON.stringify(generated));
      const plain = plainMessage(value);
      if (plain === undefined) return;
      accepted += 1;
      expect(plain).toEqual(parseJSONRPCMessage(value));
      const uri = updatedUri(plain);
      if (uri !== undefined) expect(isSpecType.ResourceUpdatedNotification(plain)).toBe(true);
    }),
    { numRuns: 500 },
  );
  expect(accepted).toBeGreaterThan(20);
});

it('recognises the messages that servers usually send', () => {
  const update = { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'a://b', _meta: {} } };
  const plain = plainMessage(update);
  expect(plain).toBe(update);
  expect(plain && updatedUri(plain)).toBe('a://b');
  expect(plain && isJSONRPCNotification(plain)).toBe(true);
  expect(plainMessage({ jsonrpc: '2.0', id: 1, result: { contents: [] } })).toBeDefined();
  expect(plainMessage({ jsonrpc: '2.0', id: 1, method: 'ping' })).toBeUndefined();
});
