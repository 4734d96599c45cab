// Servers of 2024-11-05 over HTTP: one event stream, and requests that are posted to another URL.
import { type ServerResponse, createServer } from 'node:http';
import { eventually } from '@tidings/live/testing';
import type { UrlEntry } from '@tidings/track';
import { expect, it, onTestFinished } from 'vitest';
import { serveOld } from '../support/wire/old-server.ts';
import { tracked } from './tracked.ts';

const uri = 'old://number';

function entry(url: string, headers: Record<string, string> = {}): UrlEntry {
  return { id: 'old', url, headers, enabled: true, trackResources: true };
}

it('a server of 2024-11-05 is followed, read and called', async () => {
  const { url } = await serveOld(0, 1, ['--sse', '--token', 'secret']);
  await using t = await tracked([entry(url, { 'X-Token': 'secret' })]);
  expect(await t.isLive('old')).toMatchObject({ era: 'legacy', transport: 'http', subscribed: 2, polled: 0 });
  expect(JSON.stringify(await t.tracker.read('old', uri))).toContain('1');
  await t.tracker.upstream('old').use((client) => client.callTool({ name: 'increment' }));
  await t.events.told(uri);
  expect(JSON.stringify(await t.tracker.read('old', uri))).toContain('2');
});

it('a server whose stream ends is reconnected to, and changes made meanwhile are reported', async () => {
  const first = await serveOld(0, 1, ['--sse']);
  await using t = await tracked([entry(first.url)]);
  await t.isLive('old');
  await eventually('the first read', () => t.status('old').hashed > 0);
  await first.end();
  await eventually('the loss', () => t.status('old').state !== 'live');
  await serveOld(Number(new URL(first.url).port), 7, ['--sse']);
  await t.isLive('old');
  await t.events.told(uri);
  expect(JSON.stringify(await t.tracker.read('old', uri))).toContain('7');
});

it('a server may be replaced by one of a later version', async () => {
  const first = await serveOld(0, 1, ['--sse']);
  const port = Number(new URL(first.url).port);
  await using t = await tracked([entry(first.url)]);
  await t.isLive('old');
  await first.end();
  await eventually('the loss', () => t.status('old').state !== 'live');
  await serveOld(port, 7);
  await t.isLive('old');
  expect(JSON.stringify(await t.tracker.read('old', uri))).toContain('7');
});

/** A server with this event stream, and the paths that were posted to it. */
async function hostile(stream: (res: ServerResponse) => void) {
  const posted: string[] = [];
  const http = createServer((req, res) => {
    if (req.method === 'POST') posted.push(req.url ?? '');
    if (req.method !== 'GET') return void res.writeHead(405).end();
    res.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
    return stream(res);
  });
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('It does not listen on a port.');
  return { url: `http://127.0.0.1:${address.port}/sse`, posted };
}

it.each<[string, (elsewhere: string) => (res: ServerResponse) => void]>([
  ['an address of another origin', (elsewhere) => (res) => void res.write(`event: endpoint\ndata: ${elsewhere}\n\n`)],
  ['an address that is not HTTP', () => (res) => void res.write('event: endpoint\ndata: file:///etc/passwd\n\n')],
  ['no address before the stream ends', () => (res) => void res.end(': nothing\n\n')],
  ['a message that is too large', () => (res) => void res.write(`data: "${'x'.repeat(70_000)}`)],
  ['a message that nests too deep', () => (res) => void res.write(`data: ${'['.repeat(40_000)}`)],
])('a server that sends %s is not connected to', async (_, stream) => {
  const elsewhere = await hostile(() => undefined);
  const { url, posted } = await hostile(stream(elsewhere.url));
  await using t = await tracked([entry(url, { 'X-Token': 'secret' })], { settings: { maxMessageBytes: 65_536 } });
  await eventually('the failure', () => t.status('old').state === 'backoff');
  // Only the attempts to connect as to current servers.
  expect(new Set(posted)).toEqual(new Set(['/sse']));
  expect(elsewhere.posted).toEqual([]);
});

it('a server whose stream fails within a session is reconnected to', async () => {
  let streams = 0;
  const { url } = await hostile((res) => {
    streams += 1;
    res.write('event: endpoint\ndata: /messages\n\n');
    res.write(`event: message\ndata: "${'x'.repeat(70_000)}`);
  });
  await using t = await tracked([entry(url)], { settings: { maxMessageBytes: 65_536 } });
  await eventually('another attempt', () => streams > 1);
  expect(t.status('old').state).not.toBe('live');
});
