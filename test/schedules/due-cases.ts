// When schedules are due, and what they announce, as cases for every engine.
import assert from 'node:assert/strict';
import { LiveError, listTopics } from '@tidings/live';
import { eventually } from '@tidings/live/testing';
import { type EmbeddedCase, embeddedCase } from './embedded-case.ts';
import { gate, hourMs, minuteMs, start } from './embedded-nodes.ts';

const iso = (moment: number) => new Date(moment).toISOString();

export const dueCases: readonly EmbeddedCase[] = [
  embeddedCase('sends a one-off when it is due, and removes it', async (nodes) => {
    const node = await nodes.open();
    const { due } = await node.once('a', 10 * minuteMs, 'Hello');
    assert.equal(due, iso(start + 10 * minuteMs));
    await node.pass(10 * minuteMs - 1);
    assert.deepEqual(node.sent, []);
    node.clock.advance(1);
    await eventually('the topic to be gone', async () => (await node.backend.topics()).length === 0);
    assert.deepEqual(node.sent, [{ topic: 'a', message: 'Hello' }]);
    assert.deepEqual(await node.pending('a'), []);
  }),
  embeddedCase('sends a recurring notification each time, and shows the last and next occurrence', async (nodes) => {
    const node = await nodes.open();
    await node.cron('a', '0 9 * * *', 'Europe/Oslo');
    assert.equal((await node.schedule('a')).next_occurrence, iso(start + 23 * hourMs));
    for (const day of [1, 2, 3]) {
      await node.pass(day === 1 ? 23 * hourMs : 24 * hourMs);
      await node.hasSent(day);
      const { last_delivery, last_occurrence, next_occurrence } = await eventually('the delivery', async () => {
        const schedule = await node.schedule('a');
        return schedule.last_delivery && schedule;
      });
      assert.equal(last_delivery?.status, 'delivered');
      assert.equal(last_occurrence, iso(start + (day * 24 - 1) * hourMs));
      assert.equal(next_occurrence, iso(start + ((day + 1) * 24 - 1) * hourMs));
    }
    assert.equal(node.sent.length, 3);
  }),
  embeddedCase('follows local time across a daylight saving change', async (nodes) => {
    const node = await nodes.open({ from: Date.UTC(2026, 2, 28, 12) });
    await node.cron('a', '30 2 * * *', 'Europe/Oslo');
    // The 29th has no 02:30: the gap ends at 03:00, which is 01:00 UTC.
    for (const at of ['2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z']) {
      assert.equal((await node.schedule('a')).next_occurrence, at);
      await node.asleep();
      node.clock.advance(Date.parse(at) - 1 - node.clock.date());
      const before = node.sent.length;
      await node.pass(1);
      await node.hasSent(before + 1);
      await eventually('the next one', async () => (await node.schedule('a')).last_occurrence === at);
    }
    assert.equal(node.sent.length, 2);
  }),
  embeddedCase(
    'announces every change to its topic only, and the list when topics appear or disappear',
    async (nodes) => {
      const node = await nodes.open();
      const other = await nodes.open();
      await node.cron('unrelated', '0 0 1 1 *');
      const lists = () => node.announced.filter((each) => each === listTopics.resources).length;
      const { schedule_id } = await node.cron('a', '0 9 * * *');
      assert.deepEqual([node.announcedOf('a'), lists()], [1, 2]);
      await node.backend.pause(schedule_id, 'test');
      assert.deepEqual([node.announcedOf('a'), lists()], [2, 2]);
      await node.backend.resume(schedule_id, 'test');
      assert.deepEqual([node.announcedOf('a'), lists()], [3, 2]);
      const { notification_id } = await node.once('a', hourMs);
      assert.deepEqual([node.announcedOf('a'), lists()], [4, 2]);
      await node.backend.remove(schedule_id, 'test');
      assert.deepEqual([node.announcedOf('a'), lists()], [5, 2]);
      await node.backend.remove(notification_id, 'test');
      assert.deepEqual([node.announcedOf('a'), lists()], [6, 3]);
      assert.equal(node.announcedOf('unrelated'), 1);
      await eventually('the other node to hear of it', () => other.announcedOf('a') === 6);
    },
  ),
  embeddedCase('announces a firing and its result', async (nodes) => {
    const node = await nodes.open();
    await node.cron('a', '0 9 * * *');
    const { opened, open } = gate();
    node.send = () => opened;
    await node.pass(hourMs);
    await node.hasSent(1);
    const firing = await node.schedule('a');
    assert.equal(firing.last_occurrence, iso(start + hourMs));
    assert.equal(firing.last_delivery, undefined);
    assert.equal(node.announcedOf('a'), 2);
    open();
    await node.settled('a', 'delivered');
    await eventually('the announcement', () => node.announcedOf('a') === 3);
  }),
  embeddedCase('pauses and resumes; a repeated call changes nothing', async (nodes) => {
    const node = await nodes.open();
    const { schedule_id } = await node.cron('a', '0 9 * * *');
    for (const _time of [1, 2]) {
      assert.equal((await node.backend.pause(schedule_id, 'test')).topic, 'a');
      const { status, next_occurrence } = await node.schedule('a');
      assert.deepEqual({ status, next_occurrence }, { status: 'paused', next_occurrence: null });
    }
    assert.equal(node.announcedOf('a'), 2);
    node.clock.advance(25 * hourMs);
    for (const _time of [1, 2]) {
      assert.equal((await node.backend.resume(schedule_id, 'test')).topic, 'a');
      const { status, next_occurrence } = await node.schedule('a');
      assert.deepEqual({ status, next_occurrence }, { status: 'active', next_occurrence: iso(start + 49 * hourMs) });
    }
    assert.equal(node.announcedOf('a'), 3);
    assert.deepEqual(node.sent, []);
  }),
  embeddedCase('refuses an unknown id with advice, and changes nothing', async (nodes) => {
    const node = await nodes.open();
    const { notification_id } = await node.once('a', hourMs);
    const before = node.announced.length;
    for (const act of ['pause', 'resume', 'remove'] as const) {
      await assert.rejects(node.backend[act]('cron_nobody', 'test'), (error) => {
        assert.ok(error instanceof LiveError);
        assert.equal(error.code, 'RESOURCE_NOT_FOUND');
        assert.match(error.message, /cron_nobody.*list_scheduled_notifications/);
        return true;
      });
    }
    for (const id of ['', '\0', 'x'.repeat(10_000), "' or 1=1"]) {
      await assert.rejects(node.backend.remove(id, 'test'), { code: 'RESOURCE_NOT_FOUND' });
    }
    for (const act of ['pause', 'resume'] as const) {
      await assert.rejects(node.backend[act](notification_id, 'test'), { code: 'INVALID_PARAMS' });
    }
    assert.equal(node.announced.length, before);
  }),
];
