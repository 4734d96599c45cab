// What a tracker leaves behind when it is closed.
import { eventually } from '@tidings/live/testing';
import type { LoginStore } from '@tidings/track';
import { expect, it } from 'vitest';
import { HttpUpstream } from './http-upstream.ts';
import { tracked } from './tracked.ts';

it('a tracker that is closed during a read follows no login afterwards', async () => {
  const followed = new Set<() => void>();
  const logins: LoginStore = {
    read: () => Promise.resolve(undefined),
    has: () => Promise.resolve(false),
    edit: (_, change) => change(undefined),
    follow: (_, listener) => {
      followed.add(listener);
      return () => void followed.delete(listener);
    },
  };
  await using upstream = await HttpUpstream.start('modern', { 'note://a': 'text' });
  await using t = await tracked([upstream.entry('s')], { logins });
  await t.isLive('s');
  expect(followed.size).toBe(1);
  upstream.mood = 'silent';
  const read = t.tracker.read('s', 'note://a').catch((error: unknown) => error);
  await eventually('the request', () => upstream.unanswered > 0);
  await t.tracker.close();
  expect(await read).toBeInstanceOf(Error);
  expect(followed.size).toBe(0);
});
