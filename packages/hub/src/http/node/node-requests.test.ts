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

test.each([
  [{ 'tidings-subject': Buffer.from('https://id.example#Žofie').toString('base64url') }, 'https://id.example#Žofie'],
  [{}, undefined],
])('a request that another node passes on: %j', async (headers, subject) => {
  const asked: unknown[] = [];
  const requests = new NodeRequests({
    secret: 'shared',
    isConnected: () => false,
    single: async () => undefined,
    notify: async () => undefined,
    api: ({ url }, _res, passedFor) => void asked.push([url, passedFor]),
  });
  const url = '/node/api/servers/notes/restart';
  const req = Object.assign(new IncomingMessage(new Socket()), { url, headers });
  await requests.handle(req, new ServerResponse(req), url);
  expect(asked).toEqual([['/api/servers/notes/restart', subject]]);
});
