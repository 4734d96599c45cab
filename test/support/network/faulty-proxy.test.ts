// Each fault of the proxy affects the chosen connections, and no others.
import { type Server, type Socket, connect, createServer } from 'node:net';
import { eventually } from '@tidings/live/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FaultyProxy } from './faulty-proxy.ts';

let echo: Server;
let proxy: FaultyProxy;
const clients: Socket[] = [];

class Talker {
  got = '';
  hasEnded = false;
  error: string | undefined;
  readonly socket: Socket;

  constructor(url: string) {
    this.socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
    clients.push(this.socket);
    this.socket.on('data', (bytes) => (this.got += bytes.toString('latin1')));
    this.socket.on('end', () => (this.hasEnded = true));
    this.socket.on('error', (error) => (this.error = 'code' in error ? String(error.code) : error.message));
  }

  async says(text: string): Promise<void> {
    const before = this.got;
    this.socket.write(text);
    await eventually(`"${text}" to come back`, () => this.got === before + text);
  }
}

beforeEach(async () => {
  echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket));
  await new Promise<void>((resolve) => void echo.listen(0, '127.0.0.1', resolve));
  const address = echo.address();
  proxy = await FaultyProxy.open(`tcp://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`);
});

afterEach(async () => {
  for (const socket of clients.splice(0)) socket.destroy();
  await proxy.close();
  await new Promise((resolve) => echo.close(resolve));
});

it('passes on any number of bytes unchanged', async () => {
  const talker = new Talker(proxy.url);
  await talker.says('hello');
  const much = 'x'.repeat(3_000_000);
  await talker.says(much);
  expect(proxy.connections).toHaveLength(1);
  talker.socket.end();
  await eventually('the end to be passed on', () => talker.hasEnded);
  await eventually('it to be forgotten', () => proxy.connections.length === 0);
});

it('cuts only the chosen connection, and refuses new ones until it is mended', async () => {
  const [one, two] = [new Talker(proxy.url), new Talker(proxy.url)];
  await one.says('first');
  await two.says('second');
  proxy.cut(({ asked }) => asked.includes('first'));
  await eventually('the reset', () => one.error === 'ECONNRESET');
  await two.says('!');
  proxy.affectNew('refuse');
  const refused = new Talker(proxy.url);
  await eventually('the refusal', () => refused.error === 'ECONNRESET');
  proxy.mend();
  await new Talker(proxy.url).says('again');
});

it('delivers stalled bytes after it is mended', async () => {
  const [one, two] = [new Talker(proxy.url), new Talker(proxy.url)];
  await one.says('a');
  await two.says('b');
  proxy.affect('stall', ({ heard }) => heard === 'a');
  one.socket.write('c');
  await two.says('d');
  expect(one.got).toBe('a');
  proxy.mend();
  await eventually('what waited', () => one.got === 'ac');
});

it('drops all bytes in a black hole, and closes neither side', async () => {
  const [one, two] = [new Talker(proxy.url), new Talker(proxy.url)];
  await one.says('a');
  await two.says('b');
  proxy.affect('blackHole', ({ heard }) => heard === 'a');
  one.socket.write('lost');
  await two.says('c');
  proxy.mend();
  one.socket.write('lost too');
  await two.says('d');
  expect([one.got, one.hasEnded, one.error]).toEqual(['a', false, undefined]);
});

it('half-closes, drips and corrupts', async () => {
  const talker = new Talker(proxy.url);
  await talker.says('a');
  proxy.affect({ drip: 1, everyMs: 1 });
  await talker.says('bcdef');
  proxy.affect({ corruptEvery: 2 });
  talker.socket.write('zzzz');
  await eventually('damaged bytes', () => talker.got.length === 10);
  expect(talker.got.slice(6)).toBe('z/z/');
  proxy.halfClose();
  await eventually('the end', () => talker.hasEnded);
  expect(talker.error).toBe(undefined);
});
