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

/** Of a server that waits for its input. */
function transport(): { transport: ProcessTransport; watchdog: Seen } {
  const watchdog = new Seen();
  onTestFinished(() => watchdog.close());
  const entry = {
    id: 'x',
    command: process.execPath,
    args: ['-e', 'process.stdin.resume()'],
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
