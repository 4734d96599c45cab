import { describe, expect, it } from 'vitest';
import { NtfyAddress } from './ntfy-address.ts';
import { cronInZone, readEntry, scheduleEntry } from './schedule-entry.ts';

const ntfy = new NtfyAddress(new URL('https://ntfy.example/'));
const now = new Date('2030-01-01T10:30:00Z');
const entry = {
  scheduleId: 'scd_1',
  cron: 'CRON_TZ=Europe/Berlin 0 9 * * *',
  destination: 'https://ntfy.example/team',
  createdAt: 5,
  body: 'Stand-up',
  labels: ['daily'],
};
const read = (more: Record<string, unknown> = {}) => readEntry(scheduleEntry.parse({ ...entry, ...more }), ntfy, now);

describe('a schedule of QStash', () => {
  it('is read with its time zone, label and next occurrence', () => {
    expect(read()).toEqual({
      topic: 'team',
      createdAt: 5,
      schedule: {
        schedule_id: 'scd_1',
        cron_expression: '0 9 * * *',
        timezone: 'Europe/Berlin',
        status: 'active',
        label: 'daily',
        notification_body: 'Stand-up',
        next_occurrence: '2030-01-02T08:00:00.000Z',
        last_occurrence: null,
      },
    });
    expect(cronInZone('0 9 * * *', 'Europe/Berlin')).toBe(entry.cron);
  });

  it('is ignored if it sends to another address', () => {
    expect(read({ destination: 'https://other.example/team' })).toBeUndefined();
    expect(read({ destination: 'https://ntfy.example/no/topic' })).toBeUndefined();
  });

  it('has no next occurrence while it is paused, or if only QStash can parse its expression', () => {
    expect(read({ isPaused: true })?.schedule).toMatchObject({ status: 'paused', next_occurrence: null });
    expect(read({ cron: '@every 1h' })?.schedule).toMatchObject({ timezone: 'UTC', next_occurrence: null });
    const next = Date.parse('2030-01-01T11:00:00Z');
    expect(read({ cron: '@every 1h', nextScheduleTime: next })?.schedule.next_occurrence).toBe(
      '2030-01-01T11:00:00.000Z',
    );
  });

  it('is read even with invalid fields', () => {
    const odd = { createdAt: 'yesterday', body: 7, bodyBase64: 'VGVh', labels: 'daily', isPaused: null };
    expect(read(odd)).toMatchObject({ createdAt: 0, schedule: { notification_body: 'Tea', label: null } });
  });

  it.each([
    ['one message failed', { a: 'SUCCESS', b: 'FAIL' }, { status: 'failed' }],
    ['all were delivered', { a: 'SUCCESS' }, { status: 'delivered' }],
    ['one is on its way', { a: 'SUCCESS', b: 'IN_PROGRESS' }, undefined],
  ])('shows the last delivery: %s', (_, lastScheduleStates, expected) => {
    const delivery = read({ lastScheduleStates, lastScheduleTime: now.getTime() })?.schedule.last_delivery;
    if (expected === undefined) expect(delivery).toBeUndefined();
    else expect(delivery).toMatchObject({ ...expected, at: now.toISOString() });
  });
});
