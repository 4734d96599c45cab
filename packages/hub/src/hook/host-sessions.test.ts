import { FakeClock } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { HostSessions } from './host-sessions.ts';

const id = (session: string, subject = 'x', agent?: string) => ({
  subject,
  host: 'codex' as const,
  session,
  agent,
  choice: '',
});
const now = { lastChange: 1, position: 1 };

describe('the sessions of hosts', () => {
  it('are limited in number per token and in total, and the one unused for longest is forgotten', () => {
    const sessions = new HostSessions(new FakeClock());
    sessions.begin(id('0', 'other'), now);
    for (let n = 0; n < 5000; n += 1) {
      sessions.begin(id(String(n)), now);
      sessions.find(id('0'));
    }
    expect(sessions.size).toBe(201);
    expect(sessions.find(id('0'))).toBeDefined();
    expect(sessions.find(id('0', 'other'))).toBeDefined();
    expect(sessions.find(id('4800'))).toBeUndefined();
    expect(sessions.find(id('4801'))).toBeDefined();
    for (let n = 0; n < 5000; n += 1) sessions.begin(id('0', `token ${n}`), now);
    expect(sessions.size).toBe(2000);
  });

  it('are forgotten after a day without use', () => {
    const clock = new FakeClock();
    const sessions = new HostSessions(clock);
    sessions.begin(id('a'), now);
    sessions.begin(id('b'), now);
    clock.advance(23 * 60 * 60_000);
    expect(sessions.find(id('a'))).toEqual(expect.objectContaining(now));
    clock.advance(60 * 60_000);
    expect(sessions.find(id('b'))).toBeUndefined();
    expect(sessions.size).toBe(1);
  });

  it('end together with their subagents', () => {
    const sessions = new HostSessions(new FakeClock());
    for (const agent of [undefined, '1', '2']) sessions.begin(id('a', 'x', agent), now);
    sessions.begin(id('b'), now);
    sessions.end(id('a', 'x', '1'));
    expect(sessions.size).toBe(3);
    sessions.end(id('a'));
    expect(sessions.size).toBe(1);
  });
});
