// Findings of fuzzing in sessions and streams, each as the smallest exchange that reproduces it.
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { liveServer, serveHttp } from '@tidings/live';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Target } from '../attack/target.ts';
import { eventually } from '../attack/within.ts';
import { writeJson } from '../generate/json.ts';
import { message, serverUnderTest, textOf, wholePost } from './server-under-test.ts';

const server = serverUnderTest();

describe('requests in flight', () => {
  const slow = (ms: number, id: string) => message('legacy', 'tools/call', { name: 'slow', arguments: { ms } }, id);
  const cancel = (requestId: string) => message('legacy', 'notifications/cancelled', { requestId });

  test('with the same id: the first is answered and the second is refused', async () => {
    const first = await server.post('legacy', slow(1000, 'twin'));
    const second = await server.post('legacy', slow(0, 'twin'));
    expect(await textOf(second)).toContain('"code":-32600');
    expect(await textOf(first)).toContain('"result"');
    expect(await textOf(await server.post('legacy', slow(0, 'twin'))), 'the id is free again').toContain('"result"');
  });

  test('that are cancelled: their stream ends', async () => {
    const call = await server.post('legacy', slow(30_000, 'unwanted'));
    await server.post('legacy', cancel('unwanted'));
    expect(await textOf(call)).toBe('');
  });

  test('in a batch: the others are answered when one is cancelled', async () => {
    const call = await server.post('legacy', [slow(30_000, 'unwanted'), slow(50, 'wanted')]);
    await server.post('legacy', cancel('unwanted'));
    expect(await textOf(call)).toMatch(/"result".*"id":"wanted"/);
  });
});

test('a session that ends while its stream is being opened leaves no stream behind', async () => {
  const waiting: (() => void)[] = [];
  const raced = liveServer({ name: 'raced', version: '1.0.0' });
  raced.resource('notes://{name}', { read: () => '' });
  const running = await serveHttp(raced, {
    // Both requests below are authenticated at the same moment.
    authenticate: async ({ method }) => {
      if (method !== 'POST') await new Promise<void>((resolve) => waiting.push(resolve));
      return { subject: 'Ann' };
    },
  });
  onTestFinished(() => running.close());
  const initialize = message('legacy', 'initialize', {});
  const headers = server.headers('legacy', initialize);
  const opened = await fetch(running.url, { method: 'POST', headers, body: writeJson(initialize) });
  headers.push(['Mcp-Session-Id', opened.headers.get('mcp-session-id') ?? '']);
  const both = ['GET', 'DELETE'].map((method) => fetch(running.url, { method, headers }));
  await eventually(
    5000,
    () => setImmediate(waiting.length),
    (count) => count === 2,
  );
  for (const letIn of waiting) letIn();
  await Promise.all(both);
  expect(running.endpoint.open).toEqual({ streams: 0, sessions: 0 });
});

describe('a listen request', () => {
  const listen = message('modern', 'subscriptions/listen', { notifications: { resourcesListChanged: true } });

  test('that waits behind another on its connection is freed when the connection ends', async () => {
    const request = wholePost(listen, server.headers('modern', listen));
    const socket = await server.connect();
    socket.resume().write(request + request);
    const { target } = server;
    await eventually(
      5000,
      () => target.report(),
      ({ streams }) => streams > 0,
    );
    socket.destroy();
    const report = await eventually(
      5000,
      () => target.report(),
      ({ streams }) => streams === 0,
    );
    expect(report).toMatchObject({ streams: 0, subscribers: report.sessions });
  });

  test('whose response is not read, or an incomplete request, does not prevent the server from closing', async () => {
    const request = wholePost(listen, server.headers('modern', listen));
    const target = new Target();
    onTestFinished(() => target.kill());
    const port = Number(new URL((await target.addresses()).url).port);
    for (const text of ['', 'POST /mcp HTT', request.slice(0, -5), request]) {
      connect(port, '127.0.0.1')
        .on('error', () => undefined)
        .write(text);
    }
    await eventually(
      5000,
      () => target.report(),
      ({ streams, sockets }) => streams === 1 && sockets === 4,
    );
    expect(await target.close()).toMatchObject({ streams: 0, subscribers: 0 });
  });
});
