import { FakeClock, eventually } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { ServerConnection } from '../../connection/server-connection.ts';
import type { Session } from '../../connection/session/session.ts';
import { fakeSession } from '../../testing/fake-session.ts';
import { UpstreamRequests } from './upstream-requests.ts';

type Read = () => Promise<string>;

/** Requests on sessions that answer reads with these functions; a session that is closed fails its reads. */
function scene(reads: readonly Read[]) {
  const clock = new FakeClock();
  const ignore = () => undefined;
  let opened = 0;
  const open = async (): Promise<Session> => {
    const read = reads[opened];
    opened += 1;
    if (read === undefined) throw new Error('Nothing answers.');
    let close = () => {};
    const closed = new Promise<never>((_, reject) => (close = () => reject(new Error('Connection closed'))));
    closed.catch(() => undefined);
    const contents = async () => ({ contents: [{ uri: 'note://a', text: await Promise.race([read(), closed]) }] });
    return Object.assign(
      fakeSession(() => close()),
      { read: () => ({ answer: contents(), cancel: ignore }) },
    );
  };
  const connection = new ServerConnection({
    open,
    clock,
    random: () => 0.5,
    loginAdvice: () => '',
    listener: {
      opened: () => requests.connectionChanged(),
      closed: ignore,
      updated: () => true,
      listChanged: ignore,
      gap: ignore,
      deliveryChanged: ignore,
      troubleChanged: ignore,
      stateChanged: () => requests.connectionChanged(),
    },
  });
  const conceal = (text: string) => text;
  const requests = new UpstreamRequests({ serverId: 'notes', connection, clock, readMs: 1000, conceal });
  connection.send('enable');
  return { connection, requests, clock };
}

const unanswered = () => new Promise<never>(() => undefined);

it.each(['restart', 'lost'] as const)('a read whose session ends by "%s" is made on the next one', async (event) => {
  const { connection, requests, clock } = scene([unanswered, async () => 'two']);
  const read = requests.read('note://a');
  await eventually('the session', () => connection.session !== undefined);
  connection.send(event, 'The server closed the connection.');
  clock.advance(connection.state === 'backoff' ? 1000 : 0);
  expect(await read).toMatchObject({ contents: [{ text: 'two' }] });
});

it.each([
  ['the server cannot be reached any more', [unanswered]],
  ['the next session ends too', [unanswered, unanswered, async () => 'three']],
])('a read fails if %s', async (_, reads) => {
  const { connection, requests, clock } = scene(reads);
  const read = requests.read('note://a');
  const failure = expect(read).rejects.toThrow('Connection closed');
  await eventually('the session', () => connection.session !== undefined);
  const first = connection.session;
  connection.send('lost', 'The server closed the connection.');
  clock.advance(1000);
  await eventually('the next attempt', () => connection.state === 'backoff' || (connection.session ?? first) !== first);
  connection.send('lost', 'The server closed the connection.');
  await failure;
});
