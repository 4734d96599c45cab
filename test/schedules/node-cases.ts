// Several nodes on one store, and nodes that were down, as cases for every engine.
import assert from 'node:assert/strict';
import { LiveError, listTopics } from '@tidings/live';
import { eventually } from '@tidings/live/testing';
import { DeliveryError } from '../../packages/schedules/src/source/destination/delivery-error.ts';
import { type EmbeddedCase, embeddedCase } from './embedded-case.ts';
import { gate, hourMs, minuteMs, start } from './embedded-nodes.ts';

const refused = () => new DeliveryError('INVALID_PARAMS', 'ntfy refused it.', { isTemporary: false });
const iso = (moment: number) => new Date(moment).toISOString();

export const nodeCases: readonly EmbeddedCase[] = [
  embeddedCase('claims each occurrence once with any number of nodes', async (nodes) => {
    const three = [await nodes.open({ slots: 4 }), await nodes.open({ slots: 4 }), await nodes.open({ slots: 4 })];
    const [first] = three;
    assert.ok(first);
    for (let n = 0; n < 60; n += 1) await first.once(`t${n % 7}`, minuteMs, `n${n}`);
    for (const node of three) await node.asleep();
    for (const node of three) node.clock.advance(minuteMs);
    await eventually('everything to be delivered', async () => (await first.backend.topics()).length === 0);
    const sent = three.flatMap((node) => node.sent.map(({ message }) => message));
    assert.equal(sent.length, 60);
    assert.equal(new Set(sent).size, 60);
    assert.deepEqual(
      three.flatMap(({ problems }) => problems),
      [],
    );
  }),
  embeddedCase('delivers again, marked as repeated, when a node ended during a delivery', async (nodes) => {
    const [dying, living] = [await nodes.open(), await nodes.open()];
    await dying.cron('a', '0 9 * * *');
    const { opened, open } = gate();
    dying.send = () => opened;
    await living.asleep();
    living.clock.advance(hourMs - 1);
    // Its clock stops here, as if the process had died.
    await dying.pass(hourMs);
    await dying.hasSent(1);
    await eventually('the claim', async () => (await living.schedule('a')).last_occurrence !== null);
    await living.pass(1);
    await living.pass(minuteMs - 1);
    assert.deepEqual(living.sent, []);
    await living.pass(1);
    await living.hasSent(1);
    assert.deepEqual(living.sent, [{ topic: 'a', message: '0 9 * * * in UTC', tags: ['repeat'] }]);
    const { last_delivery } = await living.settled('a', 'delivered');
    assert.equal(last_delivery?.again, true);
    await eventually('all to be told', () => living.announcedOf('a') === 3);
    // A late result of an expired claim is ignored.
    open();
    await dying.close();
    assert.deepEqual((await living.schedule('a')).last_delivery, last_delivery);
    assert.equal(living.announcedOf('a'), 3);
  }),
  embeddedCase('ignores the result of a process whose lease has ended', async (nodes) => {
    const [dying, living] = [await nodes.open(), await nodes.open()];
    await dying.once('a', minuteMs);
    const [dead, alive] = [gate(), gate()];
    dying.send = async () => {
      await dead.opened;
      throw refused();
    };
    living.send = () => alive.opened;
    await living.asleep();
    living.clock.advance(minuteMs - 1);
    await dying.pass(minuteMs);
    await dying.hasSent(1);
    await living.pass(1);
    await living.pass(minuteMs);
    await living.hasSent(1);
    dead.open();
    await dying.close();
    assert.equal((await living.pending('a'))[0]?.status, 'pending');
    alive.open();
    await eventually('the delivery', async () => (await living.backend.topics()).length === 0);
  }),
  embeddedCase('checks again when another node changed the next due time', async (nodes) => {
    const [sleeping, busy] = [await nodes.open(), await nodes.open()];
    await sleeping.once('a', 10 * hourMs, 'later');
    await sleeping.asleep();
    await busy.once('a', minuteMs, 'sooner');
    await eventually('the message', () => {
      sleeping.clock.advance(1000);
      return sleeping.sent.length > 0;
    });
    assert.equal(sleeping.sent[0]?.message, 'sooner');
    assert.ok(sleeping.clock.date() < start + hourMs);
    assert.deepEqual(busy.sent, []);
  }),
  embeddedCase('sends occurrences within the grace period after downtime', async (nodes) => {
    const before = await nodes.open();
    await before.once('a', minuteMs, 'once');
    await before.cron('b', '* * * * *');
    await before.close();
    const node = await nodes.open({ from: start + 5 * minuteMs + 30_000 });
    await node.hasSent(2);
    await node.settled('b', 'delivered');
    const { last_delivery, last_occurrence, next_occurrence } = await node.schedule('b');
    assert.equal(last_occurrence, iso(start + 5 * minuteMs));
    assert.equal(next_occurrence, iso(start + 6 * minuteMs));
    assert.equal(last_delivery?.reason, `Occurrences since ${iso(start + minuteMs)} were missed.`);
    await eventually('the one-off to be gone', async () => (await node.pending('a')).length === 0);
    assert.deepEqual(node.sent.map(({ message }) => message).sort(), ['* * * * * in UTC', 'once']);
  }),
  embeddedCase('records missed occurrences with their time after longer downtime', async (nodes) => {
    const before = await nodes.open();
    const { notification_id } = await before.once('a', minuteMs);
    await before.cron('b', '0 9 * * *');
    await before.close();
    const node = await nodes.open({ from: start + 26 * hourMs });
    const [missed] = await eventually('the one-off', async () => {
      const pending = await node.pending('a');
      return pending[0]?.status === 'missed' && pending;
    });
    assert.equal(missed?.due, iso(start + minuteMs));
    assert.equal(missed?.last_delivery?.at, iso(start + 26 * hourMs));
    assert.match(missed?.last_delivery?.reason ?? '', /due at 2026-06-01T08:01:00.000Z and found 1 day later/);
    await node.settled('b', 'missed');
    const schedule = await node.schedule('b');
    assert.equal(schedule.last_occurrence, iso(start + 25 * hourMs));
    assert.equal(schedule.next_occurrence, iso(start + 49 * hourMs));
    await node.pass(22 * hourMs);
    assert.deepEqual(node.sent, []);
    await node.pass(hourMs);
    await node.hasSent(1);
    assert.equal((await node.backend.remove(notification_id, 'test')).topic, 'a');
    assert.deepEqual(await node.pending('a'), []);
  }),
  embeddedCase('uses the configured grace period', async (nodes) => {
    const before = await nodes.open();
    await before.once('a', minuteMs);
    await before.close();
    const node = await nodes.open({ from: start + 26 * hourMs, graceMs: 48 * hourMs });
    await node.hasSent(1);
  }),
  embeddedCase('announces the list when the last two schedules of a topic are deleted together', async (nodes) => {
    const [one, two] = [await nodes.open(), await nodes.open()];
    for (let n = 0; n < 10; n += 1) {
      const [a, b] = [await one.once('a', hourMs), await two.once('a', hourMs)];
      const lists = () => one.announced.filter((each) => each === listTopics.resources).length;
      const before = await eventually('both to be known', () => one.announcedOf('a') === 4 * n + 2 && lists());
      await Promise.all([one.backend.remove(a.notification_id, 'test'), two.backend.remove(b.notification_id, 'test')]);
      await eventually('the list', () => lists() === before + 1);
      await eventually('both to be told', () => one.announcedOf('a') === 4 * n + 4);
      assert.deepEqual(await one.backend.topics(), []);
    }
  }),
  embeddedCase('stays consistent while several nodes change the same topics', async (nodes) => {
    const three = [await nodes.open(), await nodes.open(), await nodes.open()];
    const ids: string[] = [];
    const work = three.flatMap((node, which) =>
      [0, 1].map(async (worker) => {
        for (let n = 0; n < 30; n += 1) {
          const topic = `t${(n + worker) % 3}`;
          const id = ids[(n * 7 + which) % (ids.length + 1)] ?? 'cron_nobody';
          const acts = [
            async () => ids.push((await node.cron(topic, '0 9 * * *')).schedule_id),
            () => node.backend.pause(id, 'test'),
            () => node.backend.remove(id, 'test'),
            async () => ids.push((await node.once(topic, hourMs)).notification_id),
            () => node.backend.resume(id, 'test'),
            () => node.backend.remove(id, 'test'),
          ];
          await acts[(n + which) % acts.length]?.().catch((error: unknown) => {
            if (!(error instanceof LiveError) || error.code === 'DATABASE_ERROR') throw error;
          });
        }
      }),
    );
    await Promise.all(work);
    for (const node of three) {
      const listed = await node.backend.list();
      assert.deepEqual(
        await node.backend.topics(),
        listed.map(({ topic }) => topic),
      );
      for (const { schedules, pending } of listed) {
        for (const { schedule_id } of schedules) await node.backend.remove(schedule_id, 'test');
        for (const { notification_id } of pending) await node.backend.remove(notification_id, 'test');
      }
      assert.deepEqual(await node.backend.topics(), []);
    }
  }),
];
