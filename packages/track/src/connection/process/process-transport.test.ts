import { setImmediate } from 'node:timers/promises';
import { systemClock } from '@tidings/live/time';
import { expect, it, onTestFinished } from 'vitest';
import { ProcessTransport } from './process-transport.ts';
import { StderrTail } from './stderr-tail.ts';
import { Watchdog } from './watchdog.ts';

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

class Seen extends Watchdog {
  readonly pids: number[] = [];

  override guard(pid: number): void {
    this.pids.push(pid);
    super.guard(pid);
  }
}

/** Of a server that runs `script`, by default one that waits for its input. */
function transport(script = 'process.stdin.resume()'): { transport: ProcessTransport; watchdog: Seen } {
  const watchdog = new Seen();
  onTestFinished(() => watchdog.close());
  const entry = {
    id: 'x',
    command: process.execPath,
    args: ['-e', script],
    env: {},
    enabled: true,
    trackResources: true,
  };
  const deps = { clock: systemClock, maxMessageBytes: 1000, log, watchdog, stderr: new StderrTail(systemClock) };
  return { transport: new ProcessTransport(entry, { ...deps, env: process.env }), watchdog };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('a connection that is closed while its process starts leaves no process behind', async () => {
  const { transport: closing, watchdog } = transport();
  const starting = closing.start();
  await closing.close();
  await expect(starting).rejects.toThrow('closed');
  expect(watchdog.pids).toHaveLength(1);
  expect(watchdog.pids.filter(isAlive)).toEqual([]);
});

it('a connection that was closed is not started again', async () => {
  const { transport: closed, watchdog } = transport();
  await closed.start();
  await closed.close();
  await expect(closed.start()).rejects.toThrow();
  await setImmediate();
  expect(watchdog.pids).toHaveLength(1);
  expect(watchdog.pids.filter(isAlive)).toEqual([]);
});

it.each([
  ['', 'The server process ended with code 3.'],
  ['write(2, "one\\nError: no key\\n")', 'The server process ended with code 3. It said: Error: no key'],
  [
    'write(2, "\\u001b[31mError: no key\\u001b[39m\\nbye\\n")',
    'The server process ended with code 3. It said: Error: no key',
  ],
  ['write(2, "no line break")', 'The server process ended with code 3. It said: no line break'],
  ['write(2, "\\n".repeat(60_000)); write(2, "last")', 'The server process ended with code 3. It said: last'],
  ['process.kill(process.pid, "SIGKILL")', 'The server process was ended by SIGKILL.'],
])('a connection is closed with how its server ended: %s', async (script, reason) => {
  const { transport: connection } = transport(`const write = require('fs').writeSync; ${script}; process.exit(3)`);
  const closed = new Promise((resolve) => (connection.onclose = () => resolve(connection.reason)));
  await connection.start();
  expect(await closed).toBe(reason);
});

it('a request that can no longer be sent fails with how the server ended', async () => {
  const note = JSON.stringify('{"jsonrpc":"2.0","method":"notifications/closed"}\n');
  const script = `const { closeSync, writeSync } = require('fs'); closeSync(0); writeSync(1, ${note}); setInterval(() => {}, 1000)`;
  const { transport: connection, watchdog } = transport(script);
  const isInputClosed = new Promise<unknown>((resolve) => (connection.onmessage = resolve));
  connection.onerror = () => watchdog.pids.forEach((pid) => process.kill(pid, 'SIGKILL'));
  await connection.start();
  await isInputClosed;
  const request = { jsonrpc: '2.0', id: 1, method: 'ping' } as const;
  await connection.send(request);
  await setImmediate();
  await expect(connection.send(request)).rejects.toThrow('The server process was ended by SIGKILL.');
});

it('a request after the end fails before the process has ended', async () => {
  // The process takes seconds to end: it ignores the end of its input, and SIGTERM.
  const script = `process.on('SIGTERM', () => {}); require('fs').closeSync(1); setInterval(() => {}, 1000)`;
  const { transport: connection, watchdog } = transport(script);
  const closed = new Promise<void>((resolve) => (connection.onclose = resolve));
  await connection.start();
  await closed;
  const sent = connection.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
  await expect(sent).rejects.toThrow('The server closed the connection.');
  expect(watchdog.pids.filter(isAlive)).toHaveLength(1);
  watchdog.pids.forEach((pid) => process.kill(pid, 'SIGKILL'));
  await connection.close();
});

it('reads all output of a server that exits', async () => {
  const message = { jsonrpc: '2.0', method: 'notifications/last' };
  const output = JSON.stringify(`${'\n'.repeat(60_000)}${JSON.stringify(message)}\n`);
  const { transport: connection } = transport(`require('fs').writeSync(1, ${output})`);
  const messages: unknown[] = [];
  connection.onmessage = (received) => messages.push(received);
  const closed = new Promise<void>((resolve) => (connection.onclose = resolve));
  await connection.start();
  await closed;
  expect(messages).toEqual([message]);
});
