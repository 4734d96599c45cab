import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { Watchdog } from './watchdog.ts';

function sleeper(): ChildProcess {
  return spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
}

describe.skipIf(process.platform === 'win32')('the watchdog', () => {
  it('ends the guarded process groups, and no released ones', async () => {
    const [kept, guarded, forgotten] = [sleeper(), sleeper(), sleeper()];
    await Promise.all([kept, guarded, forgotten].map((child) => once(child, 'spawn')));
    const ended = once(guarded, 'exit');
    const watchdog = new Watchdog();
    try {
      for (const { pid = 0 } of [forgotten, guarded, kept]) watchdog.guard(pid);
      for (const { pid = 0 } of [forgotten, kept]) watchdog.forget(pid);
      watchdog.close();
      expect(await ended).toEqual([null, 'SIGTERM']);
      expect([forgotten.exitCode, forgotten.signalCode, kept.signalCode]).toEqual([null, null, null]);
    } finally {
      for (const child of [kept, forgotten]) child.kill('SIGKILL');
    }
  });
});
