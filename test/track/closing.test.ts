// What a tracker leaves behind when it is closed or a server is disabled.
import { FakeClock, eventually } from '@tidings/live/testing';
import type { LoginStore, Tracker, UrlEntry } from '@tidings/track';
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

const own = {
  capabilities: {},
  asked: () => Promise.reject(new Error('No request is expected.')),
  completed: () => undefined,
  lost: () => undefined,
};

it.each<[string, (tracker: Tracker, entry: UrlEntry) => unknown]>([
  ['is disabled', (tracker, entry) => tracker.apply({ servers: [{ ...entry, enabled: false }], tokens: [] })],
  ['is removed', (tracker) => tracker.apply({ servers: [], tokens: [] })],
  ['has stopped with its tracker', (tracker) => tracker.close()],
])('no session of a caller is opened with a server that %s', async (_, end) => {
  await using upstream = await HttpUpstream.start('legacy', { 'note://a': 'text' });
  const entry = upstream.entry('s');
  await using t = await tracked([entry]);
  await t.isLive('s');
  const server = t.tracker.upstream('s');
  await (await server.openOwn({ ...own, signal: new AbortController().signal })).close();
  await end(t.tracker, entry);
  await eventually('its sessions to end', () => upstream.open.sessions === 0);
  const opened = server.openOwn({ ...own, signal: new AbortController().signal });
  await expect(opened).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(upstream.open.sessions).toBe(0);
});
