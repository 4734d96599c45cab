import { FakeClock } from '@tidings/live/testing';
import type { LogMessage } from '@tidings/track';
import { describe, expect, it } from 'vitest';
import { LogRelay } from './log-relay.ts';

describe('log messages of a server', () => {
  it('are passed on from the requested level up', () => {
    const sent: LogMessage[] = [];
    const relay = new LogRelay(new FakeClock(), 'warning', (message) => sent.push(message));
    for (const level of ['debug', 'notice', 'warning', 'error'] as const) relay.push({ level, data: level });
    expect(sent.map(({ data }) => data)).toEqual(['warning', 'error']);
  });

  it('are not passed on to a caller that asked for none', () => {
    const sent: LogMessage[] = [];
    new LogRelay(new FakeClock(), undefined, (message) => sent.push(message)).push({ level: 'alert', data: 'x' });
    expect(sent).toEqual([]);
  });

  it('are left out beyond a budget, which is told once there is room again', () => {
    const clock = new FakeClock();
    const sent: LogMessage[] = [];
    const relay = new LogRelay(clock, 'debug', (message) => sent.push(message));
    for (let n = 0; n < 100; n += 1) relay.push({ level: 'info', data: 'x'.repeat(100_000) });
    expect(sent).toHaveLength(9);
    clock.advance(60_000);
    relay.push({ level: 'info', data: 'back' });
    expect(sent.slice(9).map(({ data }) => data)).toEqual([
      expect.stringMatching(/^91 log messages .*left out/),
      'back',
    ]);
  });
});
