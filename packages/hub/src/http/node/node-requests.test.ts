import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { NodeRequests } from './node-requests.ts';

test.each([
  ['one%20two', 'one two'],
  ['one%', 'one%'],
])('a notification for the session %s', async (name, session) => {
  const told: string[] = [];
  const requests = new NodeRequests({
    secret: 'shared',
    isConnected: () => false,
    single: async () => undefined,
    notify: async (id) => void told.push(id),
    api: () => undefined,
  });
  const req = new IncomingMessage(new Socket());
  req.push(JSON.stringify({ topic: 'news', at: 0, message: 'Due.' }));
  req.push(null);
  await requests.handle(req, new ServerResponse(req), `/node/notifications/${name}`);
  expect(told).toEqual([session]);
});
