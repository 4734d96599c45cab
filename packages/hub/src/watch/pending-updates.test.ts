import { systemClock } from '@tidings/live';
import { describe, expect, it } from 'vitest';
import { PendingUpdates } from './pending-updates.ts';

describe('pending updates', () => {
  it('contain each URI once, with the time of its first announcement', () => {
    const pending = new PendingUpdates(systemClock);
    pending.updated('a://1', 10);
    pending.updated('a://2', 11);
    pending.updated('a://1', 12);
    expect([...pending.takeUpdated()]).toEqual([
      ['a://1', 10],
      ['a://2', 11],
    ]);
    expect(pending.takeUpdated().size).toBe(0);
  });

  it('wake the reader for updates that arrive while it is busy', async () => {
    const pending = new PendingUpdates(systemClock);
    pending.listChanged();
    await pending.woken();
    expect(pending.takeListChanged()).toBe(true);
    pending.updated('a://1', 1);
    await pending.woken();
    const next = pending.woken().then(() => 'woken');
    expect(await Promise.race([next, Promise.resolve('waiting')])).toBe('waiting');
    pending.wake();
    expect(await next).toBe('woken');
  });

  it('keep the first outage until it is taken', () => {
    const pending = new PendingUpdates(systemClock);
    pending.lost({ reason: 'first', retryInMs: 500, httpStatus: undefined });
    pending.lost({ reason: 'second', retryInMs: 900, httpStatus: undefined });
    expect(pending.takeOutage()).toMatchObject({ reason: 'first' });
    expect(pending.takeOutage()).toBeUndefined();
  });
});
