import { eventLoopTurn } from '@tidings/live/time';
import { expect, it } from 'vitest';
import type { OpenSession } from '../../connection/session/session.ts';
import { fakeSession } from '../../testing/fake-session.ts';
import { OwnSessions } from './own-sessions.ts';

/** Sessions that are opened when the test says so. */
function ownSessions() {
  const opening: { signal: AbortSignal; opened: () => void }[] = [];
  const made = { opening, closed: 0, lost: 0 };
  const session = fakeSession(() => void (made.closed += 1));
  const open: OpenSession = (signal) =>
    new Promise((resolve) => void opening.push({ signal, opened: () => resolve(session) }));
  const own = new OwnSessions({
    serverId: 's',
    open,
    conceal: (text) => text,
    updated: () => undefined,
    listChanged: () => undefined,
  });
  const caller = new AbortController();
  const openOwn = () =>
    own.open({
      capabilities: {},
      asked: () => Promise.reject(new Error('No request is expected.')),
      completed: () => undefined,
      signal: caller.signal,
      lost: () => void (made.lost += 1),
    });
  return { own, made, caller, openOwn };
}

it('a session that is being opened when all are closed is closed too, and not given to its caller', async () => {
  const { own, made, openOwn } = ownSessions();
  const refused = expect(openOwn()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  const closed = own.close();
  expect(made.opening[0]?.signal.aborted).toBe(true);
  made.opening[0]?.opened();
  await Promise.all([refused, closed]);
  expect(made.closed).toBe(1);
});

it('all are closed only once those being opened have ended', async () => {
  const { own, made, openOwn } = ownSessions();
  const refused = expect(openOwn()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  let isClosed = false;
  const closed = own.close().then(() => (isClosed = true));
  await eventLoopTurn();
  expect(isClosed).toBe(false);
  made.opening[0]?.opened();
  await Promise.all([refused, closed]);
});

it('the attempt of a caller that leaves is ended', async () => {
  const { made, caller, openOwn } = ownSessions();
  const opening = openOwn();
  caller.abort();
  expect(made.opening[0]?.signal.aborted).toBe(true);
  made.opening[0]?.opened();
  await opening;
});

it('a session that is open is closed, after its caller was notified', async () => {
  const { own, made, openOwn } = ownSessions();
  const opening = openOwn();
  made.opening[0]?.opened();
  await opening;
  await own.close();
  expect([made.lost, made.closed]).toEqual([1, 1]);
});
