import { expect, it } from 'vitest';
import { describeError } from './describe-error.ts';

it('names the root cause, even if that is only a code', () => {
  const failed = (cause: Error) =>
    describeError(new Error('No session', { cause: new TypeError('fetch failed', { cause }) }));
  expect(failed(new Error('connect ECONNREFUSED 127.0.0.1:1'))).toBe('No session (connect ECONNREFUSED 127.0.0.1:1)');
  expect(failed(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }))).toBe('No session (ECONNREFUSED)');
  expect(describeError(new Error('alone'))).toBe('alone');
});

it('says that there is no connection, without the words of fetch and of the SDK', () => {
  const cause = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') });
  const expected = 'No connection (connect ECONNREFUSED 127.0.0.1:1)';
  expect(describeError(cause)).toBe(expected);
  expect(describeError(new Error('Version negotiation probe failed: fetch failed', { cause }))).toBe(expected);
  expect(describeError(new TypeError('fetch failed'))).toBe('fetch failed');
});

it('quotes the message of an HTTP error response, not its JSON', () => {
  const answered = (text: string) =>
    describeError(Object.assign(new Error(`Error POSTing to endpoint: ${text}`), { status: 404 }));
  expect(answered('{"error":{"code":"RESOURCE_NOT_FOUND","message":"Nothing is here."}}')).toBe(
    'HTTP 404: Nothing is here.',
  );
  expect(answered('{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Not found"}}')).toBe(
    'HTTP 404: Not found',
  );
  expect(answered('{"detail":"Not Found"}')).toBe('HTTP 404: {"detail":"Not Found"}');
  expect(answered('404 page not found')).toBe('HTTP 404: 404 page not found');
  expect(answered('')).toBe('HTTP 404');
});

it('removes secrets before it makes one line, and before it cuts the line', () => {
  const secret = `first line\n${'x'.repeat(400)}`;
  const error = new TypeError(`Headers.append: "Bearer ${secret}" is an invalid header value.`);
  const conceal = (text: string) => text.replaceAll(secret, '…');
  expect(describeError(error, conceal)).toBe('Headers.append: "Bearer …" is an invalid header value.');
});
