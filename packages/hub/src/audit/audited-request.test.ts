import type { ObservedRequest } from '@tidings/live';
import { describe, expect, it } from 'vitest';
import { auditEntryOf } from './audited-request.ts';

const options = { withArguments: true, mayUse: () => true };
const request = (method: string, params: ObservedRequest['params']): ObservedRequest => ({
  caller: { era: 'modern', transport: 'http' },
  method,
  params,
  ms: 1,
});

describe('a record', () => {
  it('has the first URIs of a listen request, and their number', () => {
    const few = ['a://1', 'a://2'];
    const listen = (uris: string[]) =>
      auditEntryOf(request('subscriptions/listen', { notifications: { resourceSubscriptions: uris } }), options);
    expect(listen(few)).toMatchObject({ uris: few, count: undefined });
    expect(listen(Array.from({ length: 500 }, (_, n) => `a://${n}`))).toMatchObject({ count: 500 });
  });

  it('is short for any request', () => {
    const long = 'x'.repeat(1990);
    const uris = Array.from({ length: 100 }, (_, n) => `a://${n}/${long}`);
    const listened = auditEntryOf(
      request('subscriptions/listen', { notifications: { resourceSubscriptions: uris } }),
      options,
    );
    expect(JSON.stringify(listened).length).toBeLessThan(10_000);
    expect(listened.count).toBe(100);
    const args = Object.fromEntries(uris.slice(0, 50).map((uri) => [uri.slice(0, 20), uris]));
    const called = auditEntryOf(request('tools/call', { name: 'x', arguments: args }), options);
    expect(JSON.stringify(called).length).toBeLessThan(20_000);
  });
});
