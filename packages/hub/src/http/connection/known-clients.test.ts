import type { Caller } from '@tidings/live';
import { FakeClock } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { type ConnectionAt, KnownClients } from './known-clients.ts';

const caller = (subject: string): Caller => ({ era: 'modern', transport: 'http', auth: { subject } });

function connection(subject: string, name: string, uri: string): ConnectionAt {
  const watching = { told: 1, urisUpTo: () => ({ count: 1, uris: [uri] }) };
  const client = { name, version: '1' };
  return {
    endpoint: '/mcp',
    connection: { caller: caller(subject), client, sessionId: undefined, since: 0, hasStream: true, watching },
  };
}

const everything = { isShown: () => true, isOpen: () => true };

function knownClients(): KnownClients {
  return new KnownClients({ clock: new FakeClock(), readResources: { readBy: () => [] } });
}

describe('the clients', () => {
  it('are those of permitted subjects', () => {
    const all = [connection('ann', 'a', 'x://1'), connection('bob', 'b', 'x://2'), connection('ann', 'a', 'x://3')];
    const listed = knownClients().list(all, { ...everything, isShown: (subject) => subject === 'ann' });
    expect(listed).toMatchObject([{ who: 'ann', name: 'a', streams: 2, told: 2, watches: ['x://1', 'x://3'] }]);
  });

  it('have names of limited length, without half a character', () => {
    const [only] = knownClients().list([connection('ann', `${'x'.repeat(199)}😀`, 'x://1')], everything);
    expect(only?.name).toBe('x'.repeat(199));
  });

  // Copying the results for each connection would copy a hundred gigabytes.
  it('are listed in time that grows with the number of connections', { timeout: 20_000 }, () => {
    const all = Array.from({ length: 150_000 }, (_, n) => connection('ann', 'a', `x://${n}`));
    const [only] = knownClients().list(all, everything);
    expect(only).toMatchObject({ streams: 150_000, told: 150_000, watching: 150_000 });
    expect(only?.watches).toHaveLength(100);
  });
});
