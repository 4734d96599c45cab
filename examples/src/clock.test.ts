import { Client } from '@modelcontextprotocol/client';
import { serveMemory } from '@tidings/live';
import { FakeClock, connectMemory, eventually, told } from '@tidings/live/testing';
import { describe, expect, test } from 'vitest';
import { createClock } from './clock.ts';

const oslo = 'clock://now/Europe%2FOslo';

describe.each(['modern', 'legacy'] as const)('the clock, for a %s client', (era) => {
  test('notifies watchers of every zone each second', async () => {
    const time = new FakeClock();
    const server = createClock(time);
    const client = await connectMemory(server, era);
    await client.subscribe(oslo, 'clock://now');

    time.advance(999);
    expect(await client.read(oslo)).toBe('{"zone":"Europe/Oslo","time":"1970-01-01 01:00:00 GMT+01:00"}');
    expect(client.updates).toEqual([]);

    time.advance(1);
    await told(client, oslo);
    await told(client, 'clock://now');
    expect(await client.read(oslo)).toBe('{"zone":"Europe/Oslo","time":"1970-01-01 01:00:01 GMT+01:00"}');
    expect(await client.read('clock://now')).toContain('1970-01-01 00:00:01');

    time.advance(1000);
    await told(client, oslo, 1);
    await client.close();
    // No zone is watched any more, so the clock stops.
    await eventually('the clock to stand still', () => time.waiting === 0);
  });

  test('completes zones, and refuses unknown ones', async () => {
    const server = createClock();
    const mode = era === 'modern' ? 'auto' : 'legacy';
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
    await client.connect(serveMemory(server));

    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'clock://now{/zone}' },
      argument: { name: 'zone', value: 'osl' },
    });
    expect(completion.values).toEqual(['Europe/Oslo']);
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['clock://now']);
    await expect(client.readResource({ uri: 'clock://now/Atlantis' })).rejects.toThrow('no time zone "Atlantis"');
    await client.close();
  });
});
