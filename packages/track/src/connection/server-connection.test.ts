import { FakeClock } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { ConnectFailure } from './error/connect-failure.ts';
import { ServerConnection } from './server-connection.ts';

function scene(openings: Promise<never>[] = []) {
  const clock = new FakeClock();
  const seen: string[] = [];
  const ignore = () => undefined;
  const refused = Object.assign(new Error('Unauthorized'), { status: 401 });
  const connection = new ServerConnection({
    open: () => openings.shift() ?? Promise.reject(new ConnectFailure(refused, (text) => text)),
    loginAdvice: () => 'Run "tidings login notes".',
    clock,
    random: () => 0.5,
    listener: {
      opened: ignore,
      closed: ignore,
      updated: () => true,
      listChanged: ignore,
      gap: ignore,
      deliveryChanged: ignore,
      troubleChanged: ignore,
      stateChanged: (state) => void seen.push(state),
    },
  });
  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  const pass = async (ms: number) => {
    clock.advance(ms);
    await settle();
  };
  return { connection, seen, settle, pass };
}

it('a server that answers 401 needs a login, and its detail says what to do', async () => {
  const { connection, settle } = scene();
  connection.send('enable');
  await settle();
  expect(connection.state).toBe('needs_login');
  expect(connection.detail).toContain('Run "tidings login notes".');
});

it('a server that needs a login is tried three times soon, then every five minutes, and at once when it is restarted', async () => {
  const { connection, settle, pass } = scene();
  connection.send('enable');
  await settle();
  for (let n = 0; n < 60; n += 1) await pass(1000);
  expect(connection.openings).toBe(4);
  await pass(5 * 60_000);
  expect(connection.openings).toBe(5);
  connection.send('restart');
  await settle();
  expect(connection.openings).toBe(6);
  expect(connection.state).toBe('needs_login');
});

it('an attempt to connect again has the reason of the last failure as its detail', async () => {
  const unanswered = new Promise<never>(() => undefined);
  const { connection, settle, pass } = scene([Promise.reject(new Error('No route to host.')), unanswered]);
  connection.send('enable');
  expect(connection.detail).toBe('');
  await settle();
  expect(connection.detail).toMatch(/^No route to host\. Trying again in /);
  await pass(60_000);
  expect([connection.state, connection.detail]).toEqual(['connecting', 'No route to host. Trying again now.']);
});
