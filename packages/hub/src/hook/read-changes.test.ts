import { FakeClock } from '@tidings/live/testing';
import { TimeSlice } from '@tidings/live/time';
import { expect, it } from 'vitest';
import { Grant } from '../access/grant.ts';
import { permissionsBy } from '../access/permissions.ts';
import { type ReadByClient, readChanges } from './read-changes.ts';

const none = { changes: 0, firstChange: 0, lastChange: 0 };

it('reads are compared with a pattern in time slices', async () => {
  const clock = new FakeClock();
  const permissions = permissionsBy(() => undefined, clock)({ auth: { subject: '', grant: new Grant({}) } });
  let compared = 0;
  const wanted = {
    choice: '',
    isChosen: true,
    hasServer: () => true,
    has: () => {
      compared += 1;
      clock.advance(10);
      return true;
    },
  };
  const changed = { client: '', isOfOneSession: true, changes: 1, firstChange: 1, earlier: none };
  const read: ReadByClient[] = [
    { serverId: 'a', uri: 'a://1', requestedUri: 'a://1', ...changed, lastChange: 1 },
    { serverId: 'a', uri: 'a://2', requestedUri: 'a://2', ...changed, lastChange: 2 },
  ];
  const terms = { host: 'codex' as const, permissions, wanted, after: 0, isShared: false, hasOtherAgents: false };
  const found = readChanges(read, terms, new TimeSlice(clock));
  expect(compared).toBe(1);
  clock.tick();
  expect((await found).changed.map(({ uri }) => uri)).toEqual(['a://2', 'a://1']);
  expect(compared).toBe(2);
});
