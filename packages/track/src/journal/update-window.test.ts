// The rule for the second event, case by case: SPEC.md has it in words.
import { FakeClock } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { UpdateWindows } from './update-window.ts';

const uri = 'note://a';

class Setting {
  readonly clock = new FakeClock();
  readonly announced: number[] = [];
  withheld = 0;
  /** The content of the last completed read, and of the read at the end. */
  lastRead: string | undefined;
  endRead: string | undefined;
  looks = 0;
  /** A read without a response. */
  isStuck = false;
  duringLook: () => void = () => undefined;
  readonly windows = new UpdateWindows({
    clock: this.clock,
    windowMs: 2000,
    lastRead: () => this.lastRead,
    readAgain: async () => {
      this.looks += 1;
      const found = this.endRead;
      this.duringLook();
      if (this.isStuck) await new Promise(() => undefined);
      return found;
    },
    announce: () => void this.announced.push(this.clock.now()),
    withheld: () => {
      this.withheld += 1;
    },
  });

  notify(): void {
    this.windows.notified(uri, this.clock.now());
  }

  async pass(ms: number): Promise<void> {
    this.clock.advance(ms);
    for (let n = 0; n < 10; n += 1) await Promise.resolve();
  }
}

describe('updates of one resource', () => {
  it('are announced at once when they come alone', async () => {
    const s = new Setting();
    s.notify();
    expect(s.announced).toEqual([0]);
    await s.pass(2000);
    s.notify();
    expect(s.announced).toEqual([0, 2000]);
    expect(s.looks).toBe(0);
  });

  it('are one event when they repeat each other, with one read at the end', async () => {
    const s = new Setting();
    s.notify();
    s.lastRead = 'B';
    await s.pass(500);
    for (let n = 0; n < 10; n += 1) s.notify();
    s.endRead = 'B';
    await s.pass(1500);
    expect(s.announced).toEqual([0]);
    expect({ looks: s.looks, withheld: s.withheld }).toEqual({ looks: 1, withheld: 1 });
  });

  it('are announced after a second if the read at the end is not answered', async () => {
    const s = new Setting();
    s.isStuck = true;
    s.notify();
    s.lastRead = 'B';
    await s.pass(500);
    s.notify();
    await s.pass(1500);
    expect(s.announced).toEqual([0]);
    s.notify();
    await s.pass(1000);
    expect(s.announced).toEqual([0, 3000]);
    // It has its own window.
    s.notify();
    s.isStuck = false;
    await s.pass(2000);
    expect(s.announced).toEqual([0, 3000, 5000]);
  });

  const announcedAgain: Record<string, (s: Setting) => void> = {
    'the end differs from the read before the second one came': (s) => {
      s.lastRead = 'B';
      s.notify();
      s.endRead = 'C';
    },
    'no read was completed before the second one came': (s) => {
      s.notify();
      s.lastRead = 'B';
      s.endRead = 'B';
    },
    'it cannot be read at the end': (s) => {
      s.lastRead = 'B';
      s.notify();
      s.endRead = undefined;
    },
    'a reader was given something else since the first event': (s) => {
      s.windows.served(uri, 'A');
      s.lastRead = 'B';
      s.notify();
      s.endRead = 'B';
    },
    'a reader was given something else after the second one came': (s) => {
      s.lastRead = 'B';
      s.notify();
      s.windows.served(uri, 'C');
      s.endRead = 'B';
    },
    'the content that a client was given is not known': (s) => {
      s.lastRead = 'B';
      s.notify();
      s.windows.served(uri, undefined);
      s.endRead = 'B';
    },
    'another one comes while it is read at the end': (s) => {
      s.lastRead = 'B';
      s.notify();
      s.endRead = 'B';
      s.duringLook = () => s.notify();
    },
  };
  it.each(Object.entries(announcedAgain))('are two events when %s', async (_, happen) => {
    const s = new Setting();
    s.notify();
    await s.pass(500);
    happen(s);
    await s.pass(1500);
    expect(s.announced).toEqual([0, 2000]);
    expect(s.withheld).toBe(0);
  });

  it('are announced once per window while they never stop', async () => {
    const s = new Setting();
    for (let n = 0; n < 100; n += 1) {
      s.endRead = `version ${n}`;
      s.notify();
      await s.pass(100);
      s.lastRead = `version ${n}`;
    }
    await s.pass(4000);
    expect(s.announced).toEqual([0, 2000, 4000, 6000, 8000, 10_000]);
    expect(s.windows.size).toBe(0);
  });

  it('are dropped once the resource is forgotten', async () => {
    const s = new Setting();
    s.notify();
    s.notify();
    s.windows.forget(uri);
    await s.pass(4000);
    expect(s.announced).toEqual([0]);
    expect(s.clock.waiting).toBe(0);
  });
});
