import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { json } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectHttp, told } from '@tidings/live/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ask, openStream, send } from '../support/wire/raw-http.ts';
import { timeLimit } from '../support/run/time-limit.ts';
import { HostedTidings, serveOverHttp, tidingsCommand } from './hosted-tidings.ts';
import { TidingsProcess } from './tidings-process.ts';

const eras = ['modern', 'legacy'] as const;

describe('tidings serve over HTTP', () => {
  test('prints one line with its address', async () => {
    const server = new TidingsProcess(['serve', 'counter', '--port', '0']);
    expect(await server.line()).toMatch(/^Serving counter at http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const { code, stdout, stderr } = await server.end('SIGINT');
    expect({ code, lines: stdout.trimEnd().split('\n').length, stderr }).toEqual({ code: 0, lines: 1, stderr: '' });
  });

  test('with --json, prints one object with its address', async () => {
    const server = new HostedTidings(['serve', 'clock', '--port', '0', '--json']);
    expect(JSON.parse(await server.line())).toEqual({ server: 'clock', url: expect.stringMatching(/^http:.+\/mcp$/) });
  });

  test('takes its flags from the environment, and ignores empty and false variables', async () => {
    const on = new HostedTidings(['serve', 'counter'], { env: { TIDINGS_PORT: '0', TIDINGS_JSON: '1' } });
    expect(await on.line()).toMatch(/^\{"server":"counter"/);
    const off = new HostedTidings(['serve', 'counter', '--port', '0'], {
      env: { TIDINGS_PORT: '', TIDINGS_JSON: '0' },
    });
    expect(await off.line()).toMatch(/^Serving counter/);
  });

  test.each(eras)('notifies a %s client of a change', async (era) => {
    const { url } = await serveOverHttp('counter');
    const client = await connectHttp(url, era);
    onTestFinished(() => client.close());
    await client.subscribe('counter://value');
    await client.call('increment', { by: 2 });
    await told(client, 'counter://value');
    expect(await client.read('counter://value')).toBe('{"value":2}');
  });

  test('serves the files of a folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tidings-cli-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'a.txt'), 'one');
    const { url } = await serveOverHttp('files', '--folder', folder);
    const client = await connectHttp(url, 'modern');
    onTestFinished(() => client.close());
    await client.subscribe('files:///a.txt');
    await writeFile(join(folder, 'a.txt'), 'two');
    await told(client, 'files:///a.txt');
    expect(await client.listAll()).toEqual(['files:///a.txt']);
  });

  test('answers under the names of a proxy that are allowed, and says how to allow others', async () => {
    const env = { TIDINGS_TOKEN: 'secret', TIDINGS_ALLOW_HOST: 'notes.example' };
    const server = new HostedTidings(['serve', 'counter', '--port', '0', '--json'], { env });
    const { url }: { url: string } = JSON.parse(await server.line());
    const named = (host: string) => ({ host, authorization: 'Bearer secret' });
    expect(await ask(url, 'modern', 'resources/list', {}, named('notes.example'))).toMatchObject({ status: 200 });
    const refused = { message: 'Host "other.example" is not one of this server\'s: add it to --allow-host.' };
    const { message } = await ask(url, 'modern', 'resources/list', {}, named('other.example'));
    expect(message.error).toMatchObject(refused);
    const resource = new URL('/resources/counter%3A%2F%2Fvalue', url).href;
    expect((await send(resource, 'GET', named('notes.example'))).statusCode).toBe(200);
    const other = await send(resource, 'GET', named('other.example'));
    expect(other.statusCode).toBe(403);
    expect(await json(other)).toEqual({ error: { code: 'PERMISSION_DENIED', ...refused } });
    const without = ['serve', 'counter', '--port', '0', '--allow-host', 'notes.example'];
    expect(await tidingsCommand(without)).toMatchObject({ code: 2, stderr: expect.stringContaining('TIDINGS_TOKEN') });
    const onStdio = ['serve', 'counter', '--allow-host', 'notes.example'];
    expect(await tidingsCommand(onStdio)).toMatchObject({ code: 2, stderr: expect.stringContaining('--allow-host') });
  });

  test('explains how to continue if the port is in use', async () => {
    const taken = createServer();
    onTestFinished(() => void taken.close());
    const port = await new Promise<string>((resolve) => {
      taken.listen(0, '127.0.0.1', () => {
        const address = taken.address();
        resolve(typeof address === 'object' ? String(address?.port) : '');
      });
    });
    expect(await tidingsCommand(['serve', 'counter', '--port', port])).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: Port ${port} on 127.0.0.1 is in use. Choose another with --port, or --port 0 for any free one.\n`,
    });
  });

  test('explains how to continue if the address does not belong to this machine', async () => {
    const args = ['serve', 'counter', '--port', '0', '--host', '203.0.113.1', '--insecure'];
    const { code, stderr } = await tidingsCommand(args);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'error: "203.0.113.1" is not an address of this machine. Leave --host out to serve this machine only.\n',
    });
  });

  test('requires the configured token', async () => {
    const options = { env: { TIDINGS_TOKEN: 'open sesame' } };
    const server = new HostedTidings(['serve', 'counter', '--port', '0', '--host', '0.0.0.0', '--json'], options);
    const { url }: { url: string } = JSON.parse(await server.line());
    await expect(connectHttp(url, 'legacy')).rejects.toThrow();
    await expect(connectHttp(url, 'legacy', { authorization: 'Bearer open' })).rejects.toThrow();
    const client = await connectHttp(url, 'legacy', { authorization: 'Bearer open sesame' });
    expect(await client.read('counter://value')).toBe('{"value":0}');
    await client.close();
  });
});

describe('a server over HTTP ends within three seconds', () => {
  test.each(eras)('with the stream of a %s client completed', async (era) => {
    const { server, url } = await serveApart('counter');
    const stream = await openStream(url, era, ['counter://value']);
    const { code, ms, stderr } = await server.end('SIGTERM');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(ms).toBeLessThan(timeLimit(3000));
    await stream.sees('its end', ({ ended }) => ended);
    expect(stream.res.complete).toBe(true);
    if (era === 'modern') expect(stream.messages.at(-1)?.result).toMatchObject({ resultType: 'complete' });
  });

  test('with a client that has sent half a request', async () => {
    const { server, url } = await serveApart('counter');
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined);
    await new Promise((resolve) => {
      socket.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n', resolve);
    });
    // The answer shows that the earlier half request has arrived too.
    const client = await connectHttp(url, 'modern');
    await client.close();
    const { code, ms } = await server.end('SIGTERM');
    expect(code).toBe(0);
    expect(ms).toBeLessThan(timeLimit(3000));
  });
});

async function serveApart(name: string): Promise<{ server: TidingsProcess; url: string }> {
  const server = new TidingsProcess(['serve', name, '--port', '0', '--json']);
  const { url }: { url: string } = JSON.parse(await server.line());
  return { server, url };
}
