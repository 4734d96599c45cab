import { describe, expect, it } from 'vitest';
import { LargeBodyQueue } from './large-body-queue.ts';

const large = 1024 * 1024;

/** Bodies that are received, and those that may continue. */
function setting(count: number) {
  const bodies = new LargeBodyQueue();
  const received: number[] = [];
  const all = Array.from({ length: count }, (_, n) => {
    const body = bodies.body();
    return { body, more: async () => (await body.more(large), received.push(n)) };
  });
  return { received, all };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('large responses of one server', () => {
  it('are received two at a time, in order', async () => {
    const { received, all } = setting(5);
    for (const { more } of all) void more();
    await settled();
    expect(received).toEqual([0, 1]);
    all[1]?.body.end();
    all[1]?.body.end();
    await settled();
    expect(received).toEqual([0, 1, 2]);
  });

  it('that are cancelled take no slot, waiting or not', async () => {
    const { received, all } = setting(5);
    for (const { more } of all) void more();
    all[2]?.body.end();
    all[0]?.body.end();
    await settled();
    expect(new Set(received)).toEqual(new Set([0, 1, 2, 3]));
    for (const { body } of all) body.end();
    const { body } = setting(1).all[0] ?? {};
    expect(body?.more(1000)).toBeUndefined();
  });
});
