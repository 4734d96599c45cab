// One client that subscribes to as many resources as a hub allows.
import { liveServer } from '@tidings/live';
import { eventually, told } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { NotesUpstream } from '../hub/notes-upstream.ts';
import { runningHub } from '../hub/running-hub.ts';

it('one client subscribes to ten thousand resources at once; more are refused with a reason', async () => {
  await using upstream = await NotesUpstream.start('modern');
  for (let index = 0; index <= 10_000; index += 1) upstream.notes.set(`n${index}`, 'first');
  await using hub = await runningHub({ servers: [upstream.entry('notes', false)] });
  await hub.isLive('notes');
  const uris = [...upstream.notes.keys()].map((name) => `note://${name}`);
  const client = await hub.connect('modern');
  await expect(client.subscribe(...uris)).rejects.toMatchObject({ data: { code: 'LIMIT_EXCEEDED' } });
  expect((await client.subscribe(...uris.slice(1))).honored).toHaveLength(10_000);
  upstream.put('n10000', 'second');
  await told(client, 'note://n10000');
  // On a busy machine, a resource that could not be compared in time counts as changed.
  expect(client.updates.length).toBeLessThan(100);
  await client.close();
  await eventually('all to be let go', () => upstream.watched < 10);
}, 120_000);

it('lists ten thousand resources of a server in this process in pages, and watches all at once', async () => {
  const many = liveServer({ name: 'many', version: '1.0.0', pageSize: 1000 });
  const items = Array.from({ length: 10_000 }, (_, index) => ({ n: String(index) }));
  const item = many.resource('many://{n}', { read: ({ n }) => `number ${n}`, list: () => items });
  await using hub = await runningHub({
    servers: [{ id: 'many', builtin: 'many', enabled: true, trackResources: false }],
    builtins: { many: async () => many },
  });
  const client = await hub.connect('modern');
  const listed = await eventually('all to be listed', async () => {
    const uris = await client.listAll();
    return new Set(uris).size === 10_000 && uris;
  });
  const { honored } = await client.subscribe(...listed);
  expect(honored).toHaveLength(10_000);
  for (const n of ['0', '5000', '9999']) {
    item.changed({ n });
    await told(client, `many://${n}`);
  }
  await client.close();
});
