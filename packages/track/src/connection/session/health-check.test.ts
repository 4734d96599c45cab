import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { FakeClock } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { HealthCheck, type HealthOptions } from './health-check.ts';

const health = { everyMs: 3000, idleMs: 30_000, answerMs: 3000, shortestPulseMs: 1000 };
const unanswered = new SdkError(SdkErrorCode.RequestTimeout, 'Request timed out');

/** The time after which a question is answered. */
const late = (ms: number) => ({ ms });

class Setting {
  readonly clock = new FakeClock();
  readonly lost: string[] = [];
  readonly recovered: number[] = [];
  asked = 0;
  answer: unknown = 'fine';
  /** For the next questions; later ones use `answer`. */
  answers: unknown[] = [];
  busySince: number | undefined;
  messageAt = 0;
  readonly check: HealthCheck;

  constructor(transport: HealthOptions['transport'] = 'http', era: HealthOptions['era'] = 'legacy') {
    const ask = async () => {
      this.asked += 1;
      const answer = this.answers.shift() ?? this.answer;
      if (answer === unanswered) await new Promise<void>((resolve) => void this.clock.after(health.answerMs, resolve));
      if (answer instanceof Error) throw answer;
      const { ms = 0 } = Object(answer);
      if (ms > 0) await new Promise<void>((resolve) => void this.clock.after(ms, resolve));
      this.messageAt = this.clock.now();
      return {};
    };
    const client = { ping: ask, discover: ask };
    this.check = new HealthCheck(
      {
        // Only two methods of the client are used.
        client: Object.assign(Object.create(null), client),
        era,
        transport,
        busySince: () => this.busySince,
        messageAt: () => this.messageAt,
        recovered: (since) => void this.recovered.push(since),
        lost: (reason) => void this.lost.push(reason),
      },
      { clock: this.clock, random: () => 0.5, health },
    );
  }

  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 100) {
      this.clock.advance(Math.min(100, left));
      for (let n = 0; n < 10; n += 1) await Promise.resolve();
    }
  }
}

describe('a health check', () => {
  it('checks often while notifications are expected, and rarely otherwise', async () => {
    const s = new Setting();
    await s.pass(120_000);
    expect(s.asked).toBe(4);
    s.check.expect(true);
    s.asked = 0;
    await s.pass(120_000);
    expect(s.asked).toBeGreaterThanOrEqual(28);
  });

  it('gives up a silent network within fifteen seconds', async () => {
    const s = new Setting();
    s.check.expect(true);
    s.answer = unanswered;
    await s.pass(15_000);
    expect(s.lost).toEqual(['The server does not answer any more.']);
  });

  it('gives up a silent process after a minute', async () => {
    const s = new Setting('stdio');
    s.check.expect(true);
    s.answer = unanswered;
    await s.pass(50_000);
    expect(s.lost).toEqual([]);
    await s.pass(20_000);
    expect(s.lost).toHaveLength(1);
  });

  it('pings at once after a failure, and gives up if no connection is accepted', async () => {
    const s = new Setting();
    s.answer = new TypeError('fetch failed');
    s.check.checkNow();
    await s.pass(400);
    expect(s.lost).toEqual(['fetch failed']);
  });

  it('does not repeat checks if requests fail but the server answers', async () => {
    const s = new Setting();
    for (let n = 0; n < 100; n += 1) {
      s.check.checkNow();
      await s.pass(100);
    }
    expect(s.asked).toBeLessThanOrEqual(11);
  });

  it('checks once more if a request failed during a check', async () => {
    const s = new Setting('http', 'modern');
    s.answers = [late(500)];
    s.answer = new ProtocolError(-32601, 'Method not found');
    s.check.checkNow();
    await s.pass(100);
    s.check.checkNow();
    await s.pass(2000);
    expect(s.lost).toHaveLength(1);
  });

  it('notices another version also if a server keeps sending refusals', async () => {
    const s = new Setting('http', 'modern');
    s.check.expect(true);
    s.answer = new ProtocolError(-32601, 'Method not found');
    for (let n = 0; n < 160; n += 1) {
      s.messageAt = s.clock.now();
      await s.pass(100);
    }
    expect(s.lost).toHaveLength(1);
  });

  it('counts an error as a response', async () => {
    const s = new Setting();
    s.check.expect(true);
    s.answer = new ProtocolError(-32601, 'Method not found');
    await s.pass(60_000);
    expect(s.lost).toEqual([]);
  });

  it.each([
    ['legacy', -32022],
    ['modern', -32022],
    ['modern', -32601],
  ] as const)('notices that a %s server speaks another version by its error %i', async (era, code) => {
    const s = new Setting('http', era);
    s.answer = new ProtocolError(code, 'not this way');
    s.check.checkNow();
    await s.pass(200);
    expect(s.lost).toHaveLength(1);
  });

  it('excuses a silence that began during a request, but not by a later request', async () => {
    const s = new Setting();
    s.check.expect(true);
    s.busySince = 0;
    s.answer = unanswered;
    await s.pass(120_000);
    expect(s.lost).toEqual([]);
    s.busySince = s.clock.now();
    await s.pass(20_000);
    expect(s.lost).toHaveLength(1);
  });

  it('reports the beginning of the silence of a server that answers again', async () => {
    const s = new Setting();
    s.check.expect(true);
    s.busySince = 0;
    s.answer = unanswered;
    await s.pass(12_000);
    s.answer = 'fine';
    await s.pass(20_000);
    expect(s.recovered).toEqual([3000]);
  });

  it('counts other messages of a server as signs of health', async () => {
    const s = new Setting();
    s.check.expect(true);
    s.answer = unanswered;
    for (let n = 0; n < 20; n += 1) {
      await s.pass(2000);
      s.messageAt = s.clock.now();
    }
    expect(s.lost).toEqual([]);
  });

  it('repeats a check that was lost while other requests were answered, and reports it', async () => {
    const s = new Setting();
    s.check.expect(true);
    s.answer = unanswered;
    await s.pass(4000);
    s.messageAt = s.clock.now();
    s.answer = 'fine';
    // The check at 3 s was lost on its connection; the next one is answered on another.
    await s.pass(2500);
    expect(s.recovered).toEqual([3000]);
    expect(s.lost).toEqual([]);
  });

  it('checks on other connections before its time is over, and reports if only those answer', async () => {
    const s = new Setting();
    s.check.expect(true);
    s.answers = [unanswered, unanswered];
    await s.pass(5400);
    expect([s.asked, s.recovered, s.lost]).toEqual([3, [3000], []]);
  });

  it('counts a response that arrives just after that of its copy', async () => {
    const s = new Setting();
    s.check.expect(true);
    s.answers = [late(1200)];
    await s.pass(5400);
    expect([s.asked, s.recovered]).toEqual([2, []]);
  });

  it('checks a process only once at a time', async () => {
    const s = new Setting('stdio');
    s.check.expect(true);
    s.answer = unanswered;
    await s.pass(5900);
    expect(s.asked).toBe(1);
  });

  it('checks within its usual time after the last message, before idle connections are closed', async () => {
    const s = new Setting();
    s.check.expect(true);
    await s.pass(2900);
    s.messageAt = s.clock.now();
    await s.pass(3200);
    expect(s.asked).toBe(1);
  });

  it('rarely checks a server that keeps sending', async () => {
    const s = new Setting();
    s.check.expect(true);
    for (let n = 0; n < 60; n += 1) {
      s.messageAt = s.clock.now();
      await s.pass(1000);
    }
    expect(s.asked).toBeLessThanOrEqual(5);
  });
});
