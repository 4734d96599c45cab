import { once } from 'node:events';
import { type IncomingMessage, createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { runningHub } from './running-hub.ts';

it('a hub that never answers has no names, and is not asked again in the other era', async () => {
  const received: IncomingMessage[] = [];
  const mute = createServer((req) => void received.push(req)).listen(0, '127.0.0.1');
  onTestFinished(() => {
    mute.closeAllConnections();
    mute.close();
  });
  await once(mute, 'listening');
  const address = mute.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const names = runningHub(new URL(`http://127.0.0.1:${port}`), undefined, 50);
  expect(await Promise.all([names.uris(), names.servers(), names.tools('notes')])).toEqual([[], [], []]);
  expect(received.filter(({ method }) => method === 'POST').length).toBeLessThan(2);
});
