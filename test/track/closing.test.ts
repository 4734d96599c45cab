// What a tracker leaves behind when it is closed.
import { FakeClock, eventually } from '@tidings/live/testing';
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

it('a tracker is closed at once while a session waits for its first stream of notifications', async () => {
  await using upstream = await HttpUpstream.start('legacy', { 'note://a': 'text' });
  upstream.mood = 'streamless';
  // Its time never passes, so a wait ends only when it is ended.
  await using t = await tracked([upstream.entry('s')], { clock: new FakeClock() });
  await eventually('the request for a stream', () => upstream.unanswered > 0);
  await t.tracker.close();
  expect(t.status('s').state).toBe('stopped');
  await eventually('the session to be ended', () => upstream.open.sessions === 0);
});
