// Odd streams.
import { expect } from 'vitest';
import { type Misbehaviour, some } from '../misbehaviour.ts';

export const oddStreams: readonly Misbehaviour[] = [
  {
    name: 'streams that are never read',
    attack: async (attacker, { change }) => {
      await attacker.many(100, async (n) => {
        const stream = n % 2 === 0 ? await attacker.listen(['note://watched']) : await attacker.events();
        stream.res.pause();
      });
      await change(500);
    },
  },
  {
    name: 'forged Last-Event-ID headers',
    attack: async (attacker) => {
      const ids = ['x', '-1', '0', '9'.repeat(500), '\u00ff\u00fe', 'abcdef012345-99999999', '__proto__'];
      await attacker.many(200, async (n) => {
        const stream = await attacker.events('', { 'last-event-id': ids[n % ids.length] ?? '' });
        expect(stream.res.statusCode).toBe(200);
      });
    },
  },
  {
    name: 'patterns of many stars',
    attack: async (attacker, { change }) => {
      const patterns = ['**'.repeat(3000), '*a'.repeat(3000), `note://${'**/'.repeat(2000)}x`, `${'a*'.repeat(3000)}!`];
      await attacker.many(100, (n) =>
        attacker.events(`?uri=${patterns[n % patterns.length]}&server=${'*'.repeat(500)}`),
      );
      await attacker.many(100, (n) => attacker.get(`/api/events?uri=${patterns[n % patterns.length]}`));
      const uris = patterns.map((pattern) => `${pattern}*`);
      const wait = { name: 'wait_for_change', arguments: { uris, timeout_seconds: 1 } };
      await Promise.all([attacker.modern('tools/call', wait), change(200)]);
    },
  },
  {
    name: 'a stream that is opened repeatedly',
    attack: async (attacker) => {
      const session = await attacker.session();
      await attacker.many(some(300), () => attacker.getStream(session));
    },
  },
];
