import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ReceivedRequest, fakeMcpServer } from './fake-mcp-server.ts';
import { actOn, readSchedules, readTopicHistory, saveSchedule } from './schedules.ts';

const calls = (received: readonly ReceivedRequest[]) =>
  received.map(({ params }) => [params['name'], params['arguments']]);

describe('the schedules of a server', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('are created or updated with the given fields only, where null clears one', async () => {
    const received = fakeMcpServer(() => ({ content: [] }));
    const common = { message: 'Hello', destination: undefined };
    await saveSchedule('s', { ...common, id: undefined, isRecurring: true, cron: '0 9 * * *', timezone: 'UTC' });
    await saveSchedule('s', { ...common, id: undefined, isRecurring: false, datetime: '2026-06-01T09:00:00Z' });
    await saveSchedule('s', { id: 'cron_1', isRecurring: true, label: null, message: undefined });
    expect(calls(received)).toEqual([
      ['schedule_cron_notification', { message: 'Hello', cron: '0 9 * * *', timezone: 'UTC' }],
      ['schedule_notification', { message: 'Hello', datetime: '2026-06-01T09:00:00Z' }],
      ['update_schedule', { schedule_id: 'cron_1', label: null }],
    ]);
  });

  it('are acted on by their id, and dead letters by theirs', async () => {
    const received = fakeMcpServer(() => ({ content: [] }));
    await actOn('s', 'pause_schedule', 'cron_1');
    await actOn('s', 'resend_notification', 'dead_1');
    expect(calls(received)).toEqual([
      ['pause_schedule', { schedule_id: 'cron_1' }],
      ['resend_notification', { dead_letter_id: 'dead_1' }],
    ]);
  });

  it('have a history, requested with a time limit; a failure has the message of the hub', async () => {
    const signals: unknown[] = [];
    const answers = [
      Response.json({ topic: 'a', count: 0, history: [] }),
      Response.json({ error: { code: 'UNAVAILABLE', message: 'The server is away.' } }, { status: 503 }),
    ];
    vi.stubGlobal('fetch', async (_path: string, { signal }: RequestInit) => {
      signals.push(signal);
      return answers.shift();
    });
    expect(await readTopicHistory('s', 'a')).toEqual([]);
    await expect(readTopicHistory('s', 'a')).rejects.toThrow('The server is away.');
    expect(signals).toEqual([expect.any(AbortSignal), expect.any(AbortSignal)]);
  });

  it('are refused if the server answers in another shape', async () => {
    fakeMcpServer(() => ({ content: [], structuredContent: { topics: [{ topic: 'a' }] } }));
    await expect(readSchedules('s')).rejects.toThrow();
  });
});
