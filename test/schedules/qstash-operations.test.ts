// Every operation of the QStash backend, through the SDK, against a local account.
import { describe, expect, it } from 'vitest';
import { listTopics } from '@tidings/live';
import { topicOf } from '../../packages/schedules/src/source/backend.ts';
import { failureOf, ntfyToken, ntfyUrl, openWorkbench, qstashToken } from './qstash-workbench.ts';

const daily = { topic: 'team-alerts', message: 'Stand-up', cron: '0 9 * * *', timezone: 'Europe/Oslo' };
const alerts = topicOf('team-alerts');

describe('a cron schedule in QStash', () => {
  it('is created with its topic, zone, label and message in the fields of QStash', async () => {
    await using bench = await openWorkbench();
    const schedule = await bench.backend.addCron({ ...daily, message: 'Grüße 👋\nzwei Zeilen', label: 'stand.up' });
    expect(schedule).toEqual({
      schedule_id: expect.any(String),
      cron_expression: '0 9 * * *',
      timezone: 'Europe/Oslo',
      status: 'active',
      label: 'stand.up',
      notification_body: 'Grüße 👋\nzwei Zeilen',
      next_occurrence: '2030-01-01T08:00:00.000Z',
      last_occurrence: null,
    });
    expect(bench.account.schedules.get(schedule.schedule_id)).toMatchObject({
      destination: `${ntfyUrl}/team-alerts`,
      cron: 'CRON_TZ=Europe/Oslo 0 9 * * *',
      label: 'stand.up',
      body: 'Grüße 👋\nzwei Zeilen',
      header: { 'Content-Type': ['text/plain; charset=utf-8'] },
    });
    expect(await bench.backend.read('team-alerts')).toEqual({
      topic: 'team-alerts',
      schedules: [schedule],
      pending: [],
    });
  });

  it('has the state that QStash reports: the next run, the last run and its outcome', async () => {
    await using bench = await openWorkbench();
    const { schedule_id } = await bench.backend.addCron(daily);
    bench.clock.advance(9 * 3_600_000);
    bench.account.fire(schedule_id);
    const { schedules } = await bench.backend.read('team-alerts');
    expect(schedules).toMatchObject([
      {
        next_occurrence: '2030-01-02T08:00:00.000Z',
        last_occurrence: '2030-01-01T09:00:00.000Z',
        last_delivery: { status: 'delivered', at: '2030-01-01T09:00:00.000Z' },
      },
    ]);
    bench.account.fire(schedule_id, 'FAIL');
    const [failed] = (await bench.backend.read('team-alerts')).schedules;
    expect(failed?.last_delivery).toMatchObject({ status: 'failed', reason: expect.stringContaining('log') });
  });

  it('gets its next occurrence from the expression if QStash gives none', async () => {
    await using bench = await openWorkbench({ server: { givesTimes: false } });
    await bench.backend.addCron(daily);
    const [schedule] = (await bench.backend.read('team-alerts')).schedules;
    expect(schedule?.next_occurrence).toBe('2030-01-01T08:00:00.000Z');
  });

  it('can be paused and resumed', async () => {
    await using bench = await openWorkbench();
    const { schedule_id } = await bench.backend.addCron(daily);
    expect(await bench.backend.pause(schedule_id)).toMatchObject({ topic: 'team-alerts' });
    expect((await bench.backend.read('team-alerts')).schedules).toMatchObject([
      { status: 'paused', next_occurrence: null },
    ]);
    expect(await bench.backend.resume(schedule_id)).toMatchObject({ topic: 'team-alerts' });
    expect((await bench.backend.read('team-alerts')).schedules).toMatchObject([{ status: 'active' }]);
  });

  it('can be deleted; its topic is looked up first', async () => {
    await using bench = await openWorkbench();
    const { schedule_id } = await bench.backend.addCron(daily);
    expect(await bench.backend.remove(schedule_id)).toMatchObject({ topic: 'team-alerts' });
    expect(bench.account.schedules.size).toBe(0);
    expect(await bench.backend.read('team-alerts')).toEqual({ topic: 'team-alerts', schedules: [], pending: [] });
  });

  it('is announced at once, with its topic only, when it is created, paused, resumed or deleted', async () => {
    await using bench = await openWorkbench();
    const { schedule_id } = await bench.backend.addCron(daily);
    expect(bench.announced.splice(0)).toEqual([alerts, listTopics.resources]);
    await bench.backend.addCron(daily);
    await bench.backend.pause(schedule_id);
    await bench.backend.resume(schedule_id);
    expect(bench.announced.splice(0)).toEqual([alerts, alerts, alerts]);
    await bench.backend.remove(schedule_id);
    expect(bench.announced).toEqual([alerts]);
  });

  it('is not announced if it was paused already', async () => {
    await using bench = await openWorkbench();
    const { schedule_id } = await bench.backend.addCron(daily);
    await bench.backend.pause(schedule_id);
    bench.announced.length = 0;
    expect(await bench.backend.pause(schedule_id)).toMatchObject({ topic: 'team-alerts' });
    expect(bench.announced).toEqual([]);
  });

  it('is created once, even if the connection breaks before the answer', async () => {
    await using bench = await openWorkbench();
    bench.qstash.fail('broken-after', 1);
    const { schedule_id } = await bench.backend.addCron(daily);
    expect([...bench.account.schedules.keys()]).toEqual([schedule_id]);
  });

  it('is deleted, even if the connection breaks before the answer', async () => {
    await using bench = await openWorkbench();
    const { schedule_id } = await bench.backend.addCron(daily);
    bench.qstash.fail('broken-after', 1, 'DELETE');
    expect(await bench.backend.remove(schedule_id)).toMatchObject({ topic: 'team-alerts' });
    expect(bench.account.schedules.size).toBe(0);
  });

  it('sends the ntfy token to QStash and never shows it', async () => {
    await using bench = await openWorkbench({ backend: { ntfyToken } });
    const { schedule_id } = await bench.backend.addCron(daily);
    const [request] = bench.qstash.received;
    expect(request?.headers['upstash-forward-authorization']).toBe(`Bearer ${ntfyToken}`);
    expect(bench.account.schedules.get(schedule_id)?.header['Authorization']?.[0]).toMatch(/^REDACTED:/);
    expect(JSON.stringify(await bench.backend.list())).not.toContain(ntfyToken);
  });
});

describe('reading from QStash', () => {
  it('requests one list per read', async () => {
    await using bench = await openWorkbench();
    await bench.backend.addCron(daily);
    bench.qstash.received.length = 0;
    await bench.backend.read('team-alerts');
    expect(bench.qstash.received.map(({ route }) => route).sort()).toEqual(['GET /v2/events', 'GET /v2/schedules']);
    await bench.backend.topics();
    await bench.backend.list('team-alerts');
    expect(bench.qstash.count('GET /v2/schedules')).toBe(3);
  });

  it('sees a change made by another program a moment ago', async () => {
    await using bench = await openWorkbench();
    const { schedule_id } = await bench.backend.addCron(daily);
    await bench.backend.read('team-alerts');
    bench.account.schedules.delete(schedule_id);
    expect((await bench.backend.read('team-alerts')).schedules).toEqual([]);
  });

  it('separates topics, and sorts schedules', async () => {
    await using bench = await openWorkbench();
    await bench.backend.addCron({ ...daily, topic: 'b' });
    await bench.backend.addCron({ ...daily, topic: 'a', message: 'first' });
    bench.clock.advance(1000);
    await bench.backend.addCron({ ...daily, topic: 'a', message: 'second' });
    expect(await bench.backend.topics()).toEqual(['a', 'b']);
    const { schedules } = await bench.backend.read('a');
    expect(schedules.map(({ notification_body }) => notification_body)).toEqual(['first', 'second']);
    expect(await bench.backend.list('b')).toMatchObject([{ topic: 'b', schedules: [{}] }]);
    expect(await bench.backend.list()).toHaveLength(2);
  });

  it('ignores schedules for other addresses', async () => {
    await using bench = await openWorkbench();
    const others = [
      'https://api.example/team-alerts',
      `${ntfyUrl}.evil.example/team-alerts`,
      `${ntfyUrl}/team-alerts/json`,
      `${ntfyUrl}/Not_A_Topic`,
      'a-url-group',
    ].map((destination) => bench.account.addSchedule({ destination, cron: '0 9 * * *' }));
    expect(await bench.backend.topics()).toEqual([]);
    for (const { scheduleId } of others) {
      expect(await failureOf(bench.backend.remove(scheduleId))).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
      expect(await failureOf(bench.backend.pause(scheduleId))).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
    }
    expect(bench.account.schedules.size).toBe(others.length);
    expect([...bench.account.schedules.values()].some(({ isPaused }) => isPaused)).toBe(false);
  });

  it('includes schedules that another program made for the same ntfy server', async () => {
    await using bench = await openWorkbench();
    const destination = `${ntfyUrl}/team-alerts`;
    bench.account.addSchedule({ destination, cron: '*/5 * * * *', body: 'plain' });
    bench.clock.advance(1);
    bench.account.addSchedule({ destination, cron: 'TZ=Asia/Tokyo @every 1h', bodyBase64: 'w6Q=' });
    expect((await bench.backend.read('team-alerts')).schedules).toMatchObject([
      { cron_expression: '*/5 * * * *', timezone: 'UTC', notification_body: 'plain', label: null },
      { cron_expression: '@every 1h', timezone: 'Asia/Tokyo', notification_body: 'ä', next_occurrence: null },
    ]);
  });

  it('works with an ntfy server below a path', async () => {
    await using bench = await openWorkbench({ backend: { ntfyUrl: 'https://host.example/push/' } });
    const { schedule_id } = await bench.backend.addCron(daily);
    expect(bench.account.schedules.get(schedule_id)?.destination).toBe('https://host.example/push/team-alerts');
    expect(await bench.backend.topics()).toEqual(['team-alerts']);
  });
});

describe('the QStash backend', () => {
  it('sends an immediate notification without QStash', async () => {
    await using bench = await openWorkbench();
    await bench.backend.send({ id: 'n1', at: 0, topic: 'team-alerts', message: 'Now' });
    expect(bench.pushed).toMatchObject([{ topic: 'team-alerts', message: 'Now' }]);
    expect(bench.qstash.count()).toBe(0);
  });

  it('names the server that notifications go to', async () => {
    await using bench = await openWorkbench();
    const words = bench.backend.destinations.wordsFor('team-alerts');
    expect(words).toContain(ntfyUrl);
    expect(words).toContain('QStash');
  });

  it('sends QStash no details of the machine', async () => {
    await using bench = await openWorkbench();
    await bench.backend.addCron(daily);
    await bench.backend.read('team-alerts');
    const names = bench.qstash.received.flatMap(({ headers }) => Object.keys(headers));
    expect(names.filter((name) => name.includes('telemetry'))).toEqual([]);
    expect(bench.qstash.received.every(({ headers }) => headers.authorization === `Bearer ${qstashToken}`)).toBe(true);
  });

  it('refuses unknown ids with advice', async () => {
    await using bench = await openWorkbench();
    for (const act of ['pause', 'resume', 'remove'] as const) {
      expect(await failureOf(bench.backend[act]('scd_unknown'))).toEqual({
        code: 'RESOURCE_NOT_FOUND',
        message: expect.stringContaining('list_scheduled_notifications'),
      });
    }
    expect(bench.announced).toEqual([]);
  });

  it.each(['', '.', '..', '../messages', 'a/../../messages', 'a?b', 'a#b', 'a%2fb', 'a\\b', 'msg_../x', 'msg_x/..'])(
    'never sends %j to QStash as an id',
    async (id) => {
      await using bench = await openWorkbench();
      expect(await failureOf(bench.backend.remove(id))).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
      expect(bench.qstash.count()).toBe(0);
    },
  );
});
