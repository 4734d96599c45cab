import { once } from 'node:events';
import { type RequestListener, createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { FakeClock } from '@tidings/live/testing';
import { MemoryLoginStore } from '../../login/memory-login-store.ts';
import { ServerLogin } from '../../login/server-login.ts';
import { emptyLogin } from '../../login/stored-login.ts';
import { authorizedFetch } from './authorized-fetch.ts';

const key = 'https://example.com/mcp';

async function loggedIn() {
  const store = new MemoryLoginStore();
  const tokens = { accessToken: 'the-token', issuer: 'x', obtainedAt: 0 };
  await store.edit(key, async () => ({ ...emptyLogin(key), tokens }));
  const grant = { canRenew: () => false, renew: () => Promise.reject(new Error('It is not renewed.')) };
  return new ServerLogin({ key, store, grant, clock: new FakeClock() });
}

async function served(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

it("sends the token to the server's own origin only, also after a redirect", async () => {
  const seen: (string | undefined)[] = [];
  const elsewhere = await served(({ headers }, res) => {
    seen.push(headers.authorization);
    res.end('elsewhere');
  });
  const own = await served(({ headers }, res) => {
    seen.push(headers.authorization);
    res.writeHead(307, { Location: `${elsewhere}/mcp` }).end();
  });
  const authorized = authorizedFetch(fetch, await loggedIn(), new URL(own).origin);
  await authorized(`${own}/mcp`, { method: 'POST', body: '{}' });
  expect(seen).toEqual(['Bearer the-token', undefined]);
  await authorized(`${elsewhere}/mcp`);
  expect(seen).toEqual(['Bearer the-token', undefined, undefined]);
});

it('returns the response unchanged if there is no other token', async () => {
  let requests = 0;
  const own = await served((_, res) => {
    requests += 1;
    res.writeHead(401).end('log in');
  });
  const answer = await authorizedFetch(fetch, await loggedIn(), new URL(own).origin)(`${own}/mcp`);
  expect([answer.status, await answer.text(), requests]).toEqual([401, 'log in', 1]);
});
