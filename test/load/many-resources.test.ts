// A tracker of a server with ten thousand resources.
import { eventually } from '@tidings/live/testing';
import { describe, it } from 'vitest';
import { HttpUpstream } from '../track/http-upstream.ts';
import { ScriptedServer } from '../track/scripted-server.ts';
import { tracked } from '../track/tracked.ts';

function notes(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`note://${n}`, `text ${n}`]));
}

describe('ten thousand resources on one server', () => {
  it('are followed in the 2025 era', async () => {
    await using server = await ScriptedServer.create({ resources: notes(10_000) });
    await using t = await tracked([server.entry('s')]);
    await eventually('all of them', () => t.status('s').subscribed === 10_000);
    await server.put('note://9999', 'changed');
    await t.events.told('note://9999');
  });

  it('are followed in the modern era, while some are added and removed', async () => {
    await using upstream = await HttpUpstream.start('modern', notes(9990));
    await using t = await tracked([upstream.entry('s')]);
    await eventually('all of them', () => t.status('s').subscribed === 9990);
    // After a slow read of a list, the next one follows after four times as long, which adds up on a busy machine.
    const listMs = 60_000;
    upstream.put('new', 'new');
    upstream.remove('5');
    await eventually(
      'the new list',
      () => t.events.all('list_changed').some(({ added }) => added.includes('note://new')),
      listMs,
    );
    await eventually(
      'the new list',
      () => t.events.all('list_changed').some(({ removed }) => removed.includes('note://5')),
      listMs,
    );
    upstream.put('new', 'newer');
    await t.events.told('note://new');
    upstream.put('7', 'changed');
    await t.events.told('note://7');
  }, 120_000);
});
