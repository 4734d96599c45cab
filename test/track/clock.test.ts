// The time of day may jump: only timestamps follow it.
import { systemClock } from '@tidings/live';
import { eventually } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { Consumer } from './consumer.ts';
import { ScriptedServer } from './scripted-server.ts';
import { tracked } from './tracked.ts';

it('a jump of the system clock affects neither order nor windows nor backoff', async () => {
  let shift = 0;
  const clock = { ...systemClock, date: () => systemClock.date() + shift };
  await using server = await ScriptedServer.create({ resources: { 'note://0': 'zero', 'note://1': 'one' } });
  await using t = await tracked([server.entry('s')], { clock });
  const { pid = 0 } = await t.isLive('s');
  const consumer = await Consumer.start(t.tracker, 's', t.events);
  for (const [n, jump] of [86_400_000, -400 * 86_400_000, 0].entries()) {
    shift = jump;
    await server.put('note://0', `version ${n}`);
    await consumer.agreesWith(() => server.resources);
  }
  shift = 400 * 86_400_000;
  process.kill(pid, 'SIGKILL');
  await eventually('it to be back', () => t.status('s').state === 'live' && t.status('s').pid !== pid);
  await server.put('note://1', 'changed');
  await consumer.agreesWith(() => server.resources);
  const cursors = t.events.frames.slice(1).map(({ id }) => Number(id?.split('-')[1]));
  expect(cursors).toEqual(cursors.toSorted((a, b) => a - b));
});
