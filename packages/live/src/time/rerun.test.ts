import { describe, expect, it } from 'vitest';
import { Rerun } from './rerun.ts';

/** A task that ends when the test says so. */
function controlled() {
  const runs: { end(): void; fail(error: Error): void }[] = [];
  const rerun = new Rerun(
    () => new Promise<void>((resolve, reject) => void runs.push({ end: () => resolve(), fail: reject })),
  );
  return { runs, rerun };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('Rerun', () => {
  it('makes one run of the requests that come together', async () => {
    const { runs, rerun } = controlled();
    const requests = [rerun.request(), rerun.request()];
    await settled();
    expect(runs).toHaveLength(1);
    runs[0]?.end();
    await Promise.all(requests);
    expect(runs).toHaveLength(1);
  });

  it('runs once more for all requests that came during a run', async () => {
    const { runs, rerun } = controlled();
    void rerun.request();
    await settled();
    let isDone = false;
    const later = [rerun.request(), rerun.request()].map((each) => each.then(() => (isDone = true)));
    expect(rerun.isRequested).toBe(true);
    await settled();
    expect(runs).toHaveLength(1);
    runs[0]?.end();
    await settled();
    expect([runs.length, isDone, rerun.isRequested]).toEqual([2, false, false]);
    runs[1]?.end();
    await Promise.all(later);
    await settled();
    expect(runs).toHaveLength(2);
  });

  it('runs again when it was idle', async () => {
    let runs = 0;
    const rerun = new Rerun(async () => (runs += 1));
    await rerun.request();
    await rerun.request();
    expect(runs).toBe(2);
  });

  it('rejects the requests of a failed run, and makes the next one', async () => {
    const { runs, rerun } = controlled();
    const first = rerun.request();
    await settled();
    const second = rerun.request();
    runs[0]?.fail(new Error('broken'));
    await expect(first).rejects.toThrow('broken');
    await settled();
    runs[1]?.end();
    await second;
  });

  it('makes another run for a request of its own task', async () => {
    let runs = 0;
    const rerun: Rerun = new Rerun(async () => {
      runs += 1;
      if (runs < 3) void rerun.request();
    });
    void rerun.request();
    await rerun.idle();
    expect(runs).toBe(3);
  });

  it('begins no run after it was stopped, and waits for the one under way', async () => {
    const { runs, rerun } = controlled();
    void rerun.request();
    await settled();
    const waiting = rerun.request();
    let isStopped = false;
    const stopped = rerun.stop().then(() => (isStopped = true));
    await settled();
    expect(isStopped).toBe(false);
    runs[0]?.end();
    await Promise.all([stopped, waiting, rerun.request()]);
    expect(runs).toHaveLength(1);
  });
});
