import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { LiveError } from '@tidings/live';
import { FakeClock } from '@tidings/live/testing';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { databaseError } from '../database-error.ts';
import { explained } from './explain.ts';
import { BusyRetry } from './busy-retry.ts';

describe('waiting for another writer', () => {
  let clock: FakeClock;
  let busyRetry: BusyRetry;
  let busy: () => void;
  let free: () => void;
  let attempts: number;

  beforeEach(() => {
    const folder = mkdtempSync(join(tmpdir(), 'tidings-store-'));
    const [one, other] = [0, 1].map(() => new DatabaseSync(join(folder, 'x.db'), { timeout: 0 }));
    onTestFinished(() => {
      for (const database of [one, other]) database?.close();
      rmSync(folder, { recursive: true });
    });
    clock = new FakeClock();
    busyRetry = new BusyRetry(clock, (error) => explained('x.db', error));
    attempts = 0;
    other?.exec('begin immediate');
    free = () => other?.exec('commit');
    busy = () => {
      attempts += 1;
      one?.exec('begin immediate');
    };
  });

  /** Advances the clock in small steps, and runs waiting tasks after each. */
  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 10) {
      clock.advance(10);
      await Promise.resolve();
    }
  }

  it('tries again at growing intervals, and continues when the database is free', async () => {
    const waiting = busyRetry.until(busy);
    await pass(1000);
    expect(attempts).toBeGreaterThan(15);
    expect(attempts).toBeLessThan(60);
    free();
    await pass(100);
    await waiting;
  });

  it('ends after half a minute, with advice', async () => {
    const failing = expect(busyRetry.until(busy)).rejects.toThrow(/busy for half a minute/);
    await pass(31_000);
    await failing;
  });

  it('ends at once if aborted, with the given reason', async () => {
    const reason = databaseError('closed');
    const failing = expect(busyRetry.until(busy)).rejects.toBe(reason);
    busyRetry.end(reason);
    await pass(100);
    await failing;
  });

  it('does not wait after other errors', async () => {
    const mistake = new Error('a mistake');
    const throwing = () => {
      throw mistake;
    };
    await expect(busyRetry.until(throwing)).rejects.toBe(mistake);
    expect(mistake).not.toBeInstanceOf(LiveError);
  });
});
