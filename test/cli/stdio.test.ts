import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type TestClient, connectStdio, eventually, told } from '@tidings/live/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connectOldStdio } from '../support/wire/old-sdk-client.ts';
import { timeLimit } from '../support/run/time-limit.ts';
import { TidingsProcess, bin } from './tidings-process.ts';

const counter = { command: process.execPath, args: [bin, 'serve', 'counter'] };

const clients: Record<string, () => Promise<TestClient>> = {
  'a modern client': () => connectStdio(counter, 'modern'),
  'a legacy client': () => connectStdio(counter, 'legacy'),
  'a client of the 1.x SDK': () => connectOldStdio(counter),
};

describe('tidings serve counter on stdio', () => {
  test.each(Object.keys(clients))('notifies %s of a change', async (name) => {
    const client = await clients[name]?.();
    if (!client) throw new Error('no client');
    onTestFinished(() => client.close());
    await client.subscribe('counter://value');
    await client.call('increment');
    await told(client, 'counter://value');
    expect(await client.read('counter://value')).toBe('{"value":1}');
  });

  test('writes nothing but JSON-RPC to stdout, for any input', async () => {
    const server = new TidingsProcess(['serve', 'counter']);
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    send(server, { id: 1, method: 'initialize', params });
    server.child.stdin.write('this is not JSON\n{"jsonrpc":"2.0","id":\n[]\n');
    send(server, { id: 2, method: 'resources/subscribe', params: { uri: 'counter://value' } });
    send(server, { id: 3, method: 'tools/call', params: { name: 'increment', arguments: {} } });
    send(server, { id: 4, method: 'no/such/method' });
    send(server, { id: 5, method: 'resources/read', params: { uri: 'nope://x' } });
    await eventually('all answers and the update', () => linesOf(server).length >= 6);
    server.child.stdin.end();
    const { code, stderr } = await server.ended;

    expect(code).toBe(0);
    expect(stderr).toContain('could not be handled');
    const messages = linesOf(server).map((line) => JSON.parse(line));
    expect(messages.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
    const ids = messages.flatMap(({ id }) => id ?? []);
    expect(new Set(ids)).toEqual(new Set([1, 2, 3, 4, 5]));
    expect(messages).toContainEqual({
      jsonrpc: '2.0',
      method: 'notifications/resources/updated',
      params: { uri: 'counter://value' },
    });
  });
});

describe('a stdio server ends cleanly', () => {
  test.each(['counter', 'clock', 'files'])('%s, when its client hangs up', async (name) => {
    const folder = await mkdtemp(join(tmpdir(), 'tidings-cli-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'a.txt'), 'a');
    const server = new TidingsProcess(['serve', name], { env: { TIDINGS_FOLDER: folder } });
    send(server, { id: 1, method: 'ping' });
    await server.line();
    server.child.stdin.end();
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('on %s, with its listen stream completed', async (signal) => {
    const transport = new StdioClientTransport(counter);
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(transport);
    onTestFinished(() => client.close());
    const gone = new Promise<void>((resolve) => {
      client.onclose = resolve;
    });
    const { closed } = await client.listen({ resourceSubscriptions: ['counter://value'] });
    const start = performance.now();
    process.kill(transport.pid ?? expect.unreachable(), signal);
    expect(await closed).toBe('graceful');
    await gone;
    expect(performance.now() - start).toBeLessThan(timeLimit(3000));
  });

  test('on a signal, even if its client has stopped reading', async () => {
    const server = new TidingsProcess(['serve', 'counter']);
    send(server, { id: 0, method: 'ping' });
    await server.line();
    server.child.stdout.pause();
    // Their answers do not fit into a pipe.
    for (let id = 1; id <= 300; id += 1) send(server, { id, method: 'tools/list' });
    // Nor does this request: once it is written, all earlier ones have been read.
    const padding = 'x'.repeat(300_000);
    await new Promise((resolve) => server.child.stdin.write(`{"jsonrpc":"2.0","method":"${padding}"}\n`, resolve));
    const exited = new Promise<number | null>((resolve) => server.child.once('exit', resolve));
    const start = performance.now();
    server.child.kill('SIGTERM');
    expect(await exited).toBe(0);
    expect(performance.now() - start).toBeLessThan(timeLimit(3000));
    await eventually('a word about it', () => server.stderr.includes('a client that does not read'));
  });

  test('on a signal before the first message', async () => {
    const server = new TidingsProcess(['serve', 'counter']);
    send(server, { id: 1, method: 'ping' });
    await server.line();
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
  });
});

function send(server: TidingsProcess, message: object): void {
  server.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function linesOf(server: TidingsProcess): string[] {
  return server.stdout.split('\n').slice(0, -1);
}
