// Servers as child processes: their environment, their output, and their end.
import { eventually } from '@tidings/live/testing';
import type { CommandEntry } from '@tidings/track';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { RecordingLog } from './recording-log.ts';
import { ScriptedServer } from './scripted-server.ts';
import { TrackerProcess, temporaryFolder } from './tracker-process.ts';
import { tracked } from './tracked.ts';

/** A server that ends neither on SIGTERM nor when stdin is closed, with a child process of the same kind. */
const stubborn = ['--ignores-end', '--with-child'];

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function program(code: string): CommandEntry {
  return {
    id: 'x',
    command: process.execPath,
    args: ['-e', code],
    env: { OWN: 'given' },
    enabled: true,
    trackResources: true,
  };
}

function stderrOf(log: RecordingLog): string[] {
  return log.lines.flatMap(({ fields }) => (typeof fields['stderr'] === 'string' ? [fields['stderr']] : []));
}

async function pidOfChild(log: RecordingLog): Promise<number> {
  return eventually('the pid of its child', () => {
    const line = stderrOf(log).find((text) => text.startsWith('child '));
    return line === undefined ? undefined : Number(line.slice('child '.length));
  });
}

describe('a server process', () => {
  it('gets a small environment and the configured variables', async () => {
    const log = new RecordingLog();
    const env = {
      PATH: '/bin',
      HOME: '/home/somebody',
      LANG: 'C.UTF-8',
      LC_ALL: 'C',
      SECRET_TOKEN: 'secret',
      NODE_OPTIONS: '',
    };
    await using _t = await tracked([program('console.error(JSON.stringify(process.env)); setTimeout(() => {}, 1e6)')], {
      log,
      env,
    });
    const text = await eventually('its environment', () => stderrOf(log)[0]);
    expect(JSON.parse(text)).toEqual({
      PATH: '/bin',
      HOME: '/home/somebody',
      LANG: 'C.UTF-8',
      LC_ALL: 'C',
      OWN: 'given',
    });
  });

  it('has its stderr logged, up to a limit', async () => {
    const log = new RecordingLog();
    const code =
      'console.error("y".repeat(100_000)); for (let n = 0; n < 3000; n += 1) console.error("x".repeat(1000)); setTimeout(() => {}, 1e6)';
    await using _t = await tracked([program(code)], { log });
    await eventually('the end of it', () => log.lines.some(({ message }) => message.includes('the rest is left out')));
    const heard = stderrOf(log);
    expect(heard[0]?.length).toBeLessThan(5000);
    expect(heard.join('').length).toBeLessThan(1_100_000);
    expect(log.lines.every(({ fields }) => fields['server'] === 'x')).toBe(true);
  });

  it('is logged by pino with the id of the server', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    await using _t = await tracked([program('console.error("hello"); process.exit(1)')], { log });
    await eventually('a warning', () => lines.some((line) => line.includes('The server is unavailable.')));
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ server: 'x', level: expect.any(Number) });
  });

  it('that answers nothing counts as silent, not as one that has ended', async () => {
    const settings = { connectMs: 300, probeMs: 100 };
    await using t = await tracked([program('setTimeout(() => {}, 1e6)')], { settings });
    const { detail } = await eventually('the first failure', () => {
      const status = t.status('x');
      return status.state === 'backoff' && status;
    });
    expect(detail).toMatch(/^Request timed out/);
  });

  it('is ended together with its child processes, even if they ignore signals', async () => {
    const log = new RecordingLog();
    await using server = await ScriptedServer.create({ resources: { 'a://1': 'one' } }, stubborn);
    const t = await tracked([server.entry('s')], { log });
    const { pid = 0 } = await t.isLive('s');
    const child = await pidOfChild(log);
    expect([isAlive(pid), isAlive(child)]).toEqual([true, true]);
    await t[Symbol.asyncDispose]();
    expect(isAlive(pid)).toBe(false);
    // The end of the child becomes visible a moment later.
    await eventually('its child to be gone', () => !isAlive(child));
  });

  it('that dies leaves no child process behind', async () => {
    const log = new RecordingLog();
    await using server = await ScriptedServer.create({ resources: { 'a://1': 'one' } }, stubborn);
    await using t = await tracked([server.entry('s')], { log });
    const { pid = 0 } = await t.isLive('s');
    const child = await pidOfChild(log);
    process.kill(pid, 'SIGKILL');
    await eventually('its child to be gone', () => !isAlive(child));
    await t.isLive('s');
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)('does not outlive a tracker that gets %s', async (signal) => {
    await using folder = await temporaryFolder();
    await using server = await ScriptedServer.create({ resources: { 'a://1': 'one' } }, stubborn);
    await using tracker = await TrackerProcess.start(folder.path, [server.entry('one'), server.entry('two')]);
    const pids = [(await tracker.isLive('one')).pid ?? 0, (await tracker.isLive('two')).pid ?? 0];
    expect(pids.every(isAlive)).toBe(true);
    await tracker.end(signal);
    await eventually('all of them to be gone', () => pids.every((pid) => !isAlive(pid) && !isAlive(-pid)));
  });
});
