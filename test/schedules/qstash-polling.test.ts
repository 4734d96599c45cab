// How the QStash backend detects changes that other programs make in the account.
import { describe, expect, it } from 'vitest';
import { listTopics } from '@tidings/live';
import { eventually } from '@tidings/live/testing';
import { topicOf } from '../../packages/schedules/src/source/backend.ts';
import { nextPoll, ntfyUrl, openWorkbench, pollMs, untilLooked, watching } from './qstash-workbench.ts';

const listRoute = 'GET /v2/schedules';
const daily = { topic: 'team-alerts', message: 'Stand-up', cron: '0 9 * * *', timezone: 'UTC' };
const elsewhere = { destination: `${ntfyUrl}/team-alerts`, cron: 'CRON_TZ=UTC 0 12 * * *', body: 'Lunch' };
const alerts = topicOf('team-alerts');

describe('while no client watches', () => {
  it('QStash is not read', async () => {
    await using bench = await openWorkbench();
    bench.clock.advance(86_400_000);
    expect(bench.clock.waiting).toBe(0);
    expect(bench.qstash.count()).toBe(0);
  });

  it('QStash is not polled', async () => {
    await using bench = await openWorkbench();
    const stop = await watching(bench, 'team-alerts');
    expect(bench.clock.waiting).toBe(1);
    stop();
    stop();
    expect(bench.clock.waiting).toBe(0);
  });

  it('the list is announced when this server deletes the last schedule of a topic', async () => {
    await using bench = await openWorkbench();
    const { scheduleId } = bench.account.addSchedule(elsewhere);
    await bench.backend.remove(scheduleId);
    await eventually('the list', () => bench.announced.includes(listTopics.resources));
    expect(bench.announced).toEqual([alerts, listTopics.resources]);
  });

  it('the list is not announced when this server changes a schedule of an existing topic', async () => {
    await using bench = await openWorkbench();
    const { scheduleId } = bench.account.addSchedule(elsewhere);
    await bench.backend.pause(scheduleId);
    expect(bench.announced).toEqual([alerts]);
  });
});

describe('while a client watches', () => {
  it('QStash is read once per poll, with any number of watchers and topics', async () => {
    await using bench = await openWorkbench();
    await watching(bench, 'team-alerts');
    const stop = await watching(bench, 'others');
    const stopToo = await watching(bench, 'others');
    const before = bench.qstash.count(listRoute);
    for (let polls = 1; polls <= 3; polls += 1) await nextPoll(bench);
    stop();
    stopToo();
    await nextPoll(bench);
    expect(bench.qstash.count(listRoute)).toBe(before + 4);
  });

  it('watchers that start together share one read', async () => {
    await using bench = await openWorkbench();
    await untilLooked(bench, () => {
      for (let n = 0; n < 50; n += 1) bench.backend.watch(`topic-${n}`);
    });
    expect(bench.qstash.count(listRoute)).toBe(1);
  });

  it('a schedule created elsewhere is announced once', async () => {
    await using bench = await openWorkbench();
    await watching(bench, 'team-alerts');
    bench.account.addSchedule(elsewhere);
    await nextPoll(bench);
    expect(bench.announced.splice(0)).toEqual([alerts, listTopics.resources]);
    await nextPoll(bench);
    await nextPoll(bench);
    expect(bench.announced).toEqual([]);
  });

  it('pausing, resuming, changing, firing and deleting elsewhere are announced once each', async () => {
    await using bench = await openWorkbench();
    const schedule = bench.account.addSchedule(elsewhere);
    bench.account.addSchedule(elsewhere);
    await watching(bench, 'team-alerts');
    const changes = [
      () => (schedule.isPaused = true),
      () => (schedule.isPaused = false),
      () => (schedule.body = 'Supper'),
      () => bench.account.fire(schedule.scheduleId),
      () => bench.account.fire(schedule.scheduleId, 'FAIL'),
      () => bench.account.schedules.delete(schedule.scheduleId),
    ];
    for (const change of changes) {
      change();
      await nextPoll(bench);
      expect(bench.announced.splice(0)).toEqual([alerts]);
      await nextPoll(bench);
      expect(bench.announced).toEqual([]);
    }
  });

  it('one-offs created, delivered and cancelled elsewhere are announced', async () => {
    await using bench = await openWorkbench();
    await using other = await openWorkbench({ backend: { url: bench.qstash.url, clock: bench.clock } });
    bench.account.addSchedule(elsewhere);
    await watching(bench, 'team-alerts');
    const request = { topic: 'team-alerts', message: 'Tea', due: bench.clock.date() + 600_000 };
    const first = await other.backend.addOneOff(request);
    const second = await other.backend.addOneOff(request);
    await nextPoll(bench);
    expect(bench.announced.splice(0)).toEqual([alerts]);
    bench.account.deliver(first.notification_id);
    await nextPoll(bench);
    expect(bench.announced.splice(0)).toEqual([alerts]);
    await other.backend.remove(second.notification_id);
    await nextPoll(bench);
    expect(bench.announced).toEqual([alerts]);
  });

  it('only topics that changed are announced', async () => {
    await using bench = await openWorkbench();
    const schedule = bench.account.addSchedule(elsewhere);
    bench.account.addSchedule({ ...elsewhere, destination: `${ntfyUrl}/others` });
    bench.account.addSchedule({ ...elsewhere, destination: 'https://api.example/hook' });
    await watching(bench, 'team-alerts');
    await watching(bench, 'others');
    schedule.isPaused = true;
    await nextPoll(bench);
    expect(bench.announced).toEqual([alerts]);
  });

  it('schedules of other programs in the account are not announced', async () => {
    await using bench = await openWorkbench();
    await watching(bench, 'team-alerts');
    bench.account.addSchedule({ ...elsewhere, destination: 'https://api.example/hook' });
    await nextPoll(bench);
    expect(bench.announced).toEqual([]);
  });

  it('the list is announced when a topic disappears', async () => {
    await using bench = await openWorkbench();
    const { scheduleId } = bench.account.addSchedule(elsewhere);
    await watching(bench, 'team-alerts');
    bench.account.schedules.delete(scheduleId);
    await nextPoll(bench);
    expect(bench.announced).toEqual([alerts, listTopics.resources]);
  });

  it('own changes are announced once, and so are later changes made elsewhere', async () => {
    await using bench = await openWorkbench();
    await watching(bench, 'team-alerts');
    const { schedule_id } = await untilLooked(bench, () => bench.backend.addCron(daily));
    await nextPoll(bench);
    expect(bench.announced.splice(0)).toEqual([alerts, listTopics.resources]);
    bench.account.schedules.delete(schedule_id);
    await nextPoll(bench);
    expect(bench.announced).toEqual([alerts, listTopics.resources]);
  });

  it('a change that a read finds before the poll is announced then, and only once', async () => {
    await using bench = await openWorkbench();
    await watching(bench, 'team-alerts');
    bench.account.addSchedule(elsewhere);
    await bench.backend.read('others');
    expect(bench.announced.splice(0)).toEqual([alerts, listTopics.resources]);
    await nextPoll(bench);
    expect(bench.announced).toEqual([]);
  });

  it('a change between a read and the subscription after it is announced', async () => {
    await using bench = await openWorkbench();
    await bench.backend.read('team-alerts');
    bench.account.addSchedule(elsewhere);
    await watching(bench, 'team-alerts');
    expect(bench.announced).toEqual([alerts, listTopics.resources]);
  });

  it('a change right after the first subscription is announced, even without an earlier read', async () => {
    await using bench = await openWorkbench();
    await untilLooked(bench, () => {
      bench.backend.watch('team-alerts');
      bench.account.addSchedule(elsewhere);
    });
    expect(bench.announced.splice(0)).toEqual([alerts]);
    await nextPoll(bench);
    expect(bench.announced).toEqual([]);
  });

  it('an answer older than an own change is not announced', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isHolding = false;
    const slowLists: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (isHolding && init?.method === 'GET') await held;
      return response;
    };
    await using bench = await openWorkbench({ backend: { fetch: slowLists } });
    await watching(bench, 'team-alerts');
    isHolding = true;
    const looks = bench.qstash.count(listRoute);
    const early = bench.backend.read('team-alerts');
    await eventually('the list to be asked for', () => bench.qstash.count(listRoute) === looks + 1);
    await untilLooked(bench, async () => {
      await bench.backend.addCron(daily);
      isHolding = false;
      release();
    });
    expect((await early).schedules).toEqual([]);
    await nextPoll(bench);
    expect(bench.announced).toEqual([alerts, listTopics.resources]);
  });

  it('polls come slightly early at random, never late', async () => {
    await using bench = await openWorkbench({ backend: { pollMs: 1000 } });
    for (const { chance, after } of [
      { chance: 0, after: 1000 },
      { chance: 0.5, after: 950 },
      { chance: 1, after: 900 },
    ]) {
      bench.polls.chance = chance;
      await watching(bench, 'team-alerts');
      const looks = bench.qstash.count(listRoute);
      bench.clock.advance(after - 1);
      expect(bench.clock.waiting).toBe(1);
      await nextPoll(bench, 1);
      expect(bench.qstash.count(listRoute)).toBe(looks + 1);
    }
  });

  it('an outage is logged once, polled at growing intervals, and compared with earlier content afterwards', async () => {
    await using bench = await openWorkbench();
    await watching(bench, 'team-alerts');
    bench.qstash.fail({ status: 500 });
    await nextPoll(bench);
    await nextPollAfter(2 * pollMs);
    await nextPollAfter(4 * pollMs);
    await nextPollAfter(8 * pollMs);
    expect(bench.logged).toEqual([expect.stringContaining('cannot be seen')]);
    bench.qstash.recover();
    bench.account.addSchedule(elsewhere);
    await nextPollAfter(8 * pollMs);
    expect(bench.logged).toEqual([expect.anything(), expect.stringContaining('answers again')]);
    expect(bench.announced).toEqual([alerts, listTopics.resources]);
    await nextPoll(bench);

    async function nextPollAfter(ms: number): Promise<void> {
      const asked = bench.qstash.count();
      bench.clock.advance(ms - 1);
      expect(bench.clock.waiting).toBe(1);
      expect(bench.qstash.count()).toBe(asked);
      await nextPoll(bench, 1);
    }
  });
});

describe('closing', () => {
  it('ends the polls', async () => {
    await using bench = await openWorkbench();
    await watching(bench, 'team-alerts');
    expect(bench.clock.waiting).toBe(1);
    await bench.backend.close();
    expect(bench.clock.waiting).toBe(0);
    bench.backend.watch('team-alerts');
    expect(bench.clock.waiting).toBe(0);
  });

  it('does not wait for a pending answer', async () => {
    await using bench = await openWorkbench();
    bench.qstash.fail('silence');
    bench.backend.watch('team-alerts');
    const read = bench.backend.read('team-alerts');
    await eventually('both to be asked for', () => bench.qstash.count(listRoute) === 2);
    const refused = expect(read).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await bench.backend.close();
    await refused;
    expect(bench.clock.waiting).toBe(0);
    expect(bench.logged).toEqual([]);
  });
});
