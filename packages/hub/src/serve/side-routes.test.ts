import { type IncomingMessage, createServer, request } from 'node:http';
import { once } from 'node:events';
import { liveServer, stderrLog } from '@tidings/live';
import { createGuard } from '@tidings/live/internal';
import { expect, it, onTestFinished } from 'vitest';
import { exposure } from '../setup/exposure.ts';
import { ServeMetrics } from './serve-metrics.ts';
import { SideRoutes } from './side-routes.ts';

/** The port of the routes of a server that requires the token "secret". */
async function served(): Promise<number> {
  const side = new SideRoutes({
    ...exposure('127.0.0.1', 'secret', false),
    guard: createGuard({}),
    server: liveServer({ name: 'notes', version: '1.0.0' }),
    log: stderrLog,
    metrics: new ServeMetrics('notes'),
  });
  const http = createServer((req, res) => void side.handle(req, res)).listen(0, '127.0.0.1');
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  await once(http, 'listening');
  const address = http.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The response to a request whose body is not sent. */
async function answerTo(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const options = { host: '127.0.0.1', port: await served(), path, method: 'POST', agent: false };
  const all = { 'Content-Type': 'application/json', 'Content-Length': '9', Connection: 'keep-alive', ...headers };
  const req = request({ ...options, headers: all });
  onTestFinished(() => void req.destroy());
  req.flushHeaders();
  const res = await new Promise<IncomingMessage>((resolve, reject) => {
    req.once('response', resolve).once('error', reject);
  });
  res.resume();
  return res;
}

const withToken = { Authorization: 'Bearer secret' };

it.each([
  ['without a token', '/metrics', {}, 401],
  ['to an unknown path', '/nothing', withToken, 404],
  ['for another host', '/healthz', { Host: 'elsewhere.example' }, 403],
])('a refused request %s closes the connection if its body was not read', async (_, path, headers, status) => {
  const { statusCode, headers: answered } = await answerTo(path, headers);
  expect([statusCode, answered.connection]).toEqual([status, 'close']);
});

it('a request without a token is told how to send one', async () => {
  const { headers } = await answerTo('/metrics');
  expect(headers['www-authenticate']).toBe('Bearer');
});

it('an answered request keeps the connection', async () => {
  const { statusCode, headers } = await answerTo('/healthz');
  expect([statusCode, headers.connection]).toEqual([200, 'keep-alive']);
});
