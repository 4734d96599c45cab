import { expect, it } from 'vitest';
import { liveServer } from '../live-server.ts';
import { eventually } from './eventually.ts';
import { connectMemory } from './test-client.ts';

it('eventually rejects if a check never settles', async () => {
  await expect(eventually('an answer', () => new Promise<true>(() => undefined), 20)).rejects.toThrow(
    'Not within 20 ms: an answer',
  );
});

it('eventually resolves with the first value, and rejects with the error of a check', async () => {
  let asked = 0;
  expect(await eventually('three', () => (asked += 1) === 3 && asked)).toBe(3);
  await expect(eventually('nothing', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});

it.each(['modern', 'legacy'] as const)('a %s client in memory can have a credential', async (era) => {
  const server = liveServer({ name: 'test', version: '1.0.0', authorize: ({ auth }) => auth?.subject === 'ann' });
  server.resource('n://{x}', { read: (_params, { caller }) => caller.auth?.subject });
  const ann = await connectMemory(server, era, { auth: { subject: 'ann' } });
  expect(await ann.read('n://1')).toBe('ann');
  const nobody = await connectMemory(server, era);
  await expect(nobody.read('n://1')).rejects.toThrow('do not allow');
  await Promise.all([ann.close(), nobody.close()]);
});
