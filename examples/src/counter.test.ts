import { connectMemory, told } from '@tidings/live/testing';
import { describe, expect, test } from 'vitest';
import { createCounter } from './counter.ts';

describe.each(['modern', 'legacy'] as const)('the counter, for a %s client', (era) => {
  test('notifies its watchers when the tool counts', async () => {
    const client = await connectMemory(createCounter(), era);
    await client.subscribe('counter://value');

    expect(await client.call('increment')).toBe('{"value":1}');
    await told(client, 'counter://value');
    expect(await client.read('counter://value')).toBe('{"value":1}');

    await client.call('increment', { by: 41 });
    await told(client, 'counter://value', 1);
    expect(await client.read('counter://value')).toBe('{"value":42}');
    await client.close();
  });
});
