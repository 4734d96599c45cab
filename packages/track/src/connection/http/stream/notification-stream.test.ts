import { FakeClock } from '@tidings/live/testing';
import { eventLoopTurn } from '@tidings/live/time';
import { describe, expect, it } from 'vitest';
import { NotificationStream } from './notification-stream.ts';

class Setting {
  readonly clock = new FakeClock();
  readonly log: string[] = [];
  requests = 0;
  readonly stream = new NotificationStream({
    clock: this.clock,
    random: () => 1,
    request: () => {
      this.requests += 1;
      this.stream.requested();
    },
    changed: () => void this.log.push(this.stream.delivery),
    gap: () => void this.log.push('gap'),
    stuck: () => void this.log.push('stuck'),
  });

  constructor() {
    this.stream.requested();
  }

  opened(): this {
    this.stream.opened();
    return this;
  }
}

describe('the stream of notifications', () => {
  it('that opens again soon has a gap, and does not become pending', () => {
    const s = new Setting().opened();
    s.stream.ended();
    s.clock.advance(500);
    s.stream.requested();
    s.stream.opened();
    s.clock.advance(60_000);
    expect(s.log).toEqual(['open', 'gap', 'gap']);
    expect(s.requests).toBe(0);
  });

  it('that does not open again becomes pending, and is requested if the SDK does not do so', () => {
    const s = new Setting().opened();
    s.stream.ended();
    s.clock.advance(1000);
    expect(s.log).toEqual(['open', 'gap', 'pending']);
    expect(s.requests).toBe(1);
    s.clock.advance(600_000);
    expect(s.requests).toBe(1);
  });

  it.each([405, 500, 0])('that has worked and is refused with %i is pending at once and requested again', (status) => {
    const s = new Setting().opened();
    s.stream.ended();
    s.stream.requested();
    s.stream.refused(status);
    expect(s.log).toEqual(['open', 'gap', 'pending']);
    for (let n = 0; n < 20; n += 1) {
      s.clock.advance(30_000);
      s.stream.refused(status);
    }
    expect(s.requests).toBe(20);
    s.clock.advance(30_000);
    s.stream.opened();
    expect(s.log).toEqual(['open', 'gap', 'pending', 'open', 'gap']);
  });

  it('that a server does not offer counts as absent until it does', async () => {
    const s = new Setting();
    const settled = s.stream.openedOrRefused({ ms: 5000 });
    s.stream.refused(405);
    await settled;
    expect(s.stream.delivery).toBe('none');
    s.clock.advance(500);
    s.stream.opened();
    expect(s.log).toEqual(['none', 'open', 'gap']);
  });

  it('may be waited for again, for the whole time', async () => {
    const s = new Setting().opened();
    const ended: string[] = [];
    const wait = (name: string, ms: number) => void s.stream.openedOrRefused({ ms }).then(() => ended.push(name));
    s.stream.ended();
    wait('answered', 5000);
    s.stream.refused(500);
    wait('second', 10_000);
    s.clock.advance(5000);
    await eventLoopTurn();
    expect(ended).toEqual(['answered']);
    s.clock.advance(5000);
    await eventLoopTurn();
    expect(ended).toEqual(['answered', 'second']);
  });

  it('without a response is pending after a while', async () => {
    const s = new Setting();
    const settled = s.stream.openedOrRefused({ ms: 5000 });
    s.clock.advance(5000);
    await settled;
    expect(s.stream.delivery).toBe('pending');
  });

  it('has no effect after it is stopped', () => {
    const s = new Setting().opened();
    s.stream.ended();
    s.stream.stop();
    s.clock.advance(600_000);
    expect(s.log).toEqual(['open', 'gap']);
    expect(s.clock.waiting).toBe(0);
  });

  it('that is dead but open for the server is stuck', () => {
    const s = new Setting().opened();
    s.stream.ended();
    s.clock.advance(1000);
    for (let n = 0; n < 4; n += 1) {
      expect(s.requests).toBe(n + 1);
      s.stream.refused(409);
      s.clock.advance(30_000);
    }
    expect(s.log).toEqual(['open', 'gap', 'pending', 'stuck']);
    expect(s.requests).toBe(4);
  });

  it('that has never worked, or is refused for other reasons in between, is not stuck', () => {
    const never = new Setting();
    const between = new Setting().opened();
    between.stream.ended();
    between.clock.advance(1000);
    for (const status of [409, 409, 409, 500, 409, 409, 409]) {
      for (const s of [never, between]) {
        s.stream.refused(status);
        s.clock.advance(30_000);
      }
    }
    expect([...never.log, ...between.log]).not.toContain('stuck');
  });
});
