// Behaviour of the embedded scheduler on every engine, as cases for any test runner.
import assert from 'node:assert/strict';
import { LiveError, listTopics } from '@tidings/live';
import { eventually } from '@tidings/live/testing';
import { DeliveryError } from '../../packages/schedules/src/source/destination/delivery-error.ts';
import { Nodes, gate, hourMs, minuteMs, start } from './embedded-nodes.ts';

export interface EmbeddedCase {
  name: string;
  run(this: void, place: string): Promise<void>;
}

const away = (retryAfterMs?: number) =>
  new DeliveryError('UNAVAILABLE', 'ntfy is away.', { isTemporary: true, retryAfterMs });
const refused = () => new DeliveryError('INVALID_PARAMS', 'ntfy refused it.', { isTemporary: false });
const iso = (moment: number) => new Date(moment).toISOString();

export const embeddedCases: readonly EmbeddedCase[] = [
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
  embeddedCase('retries with growing pauses, and gives up after the last try', async (nodes) => {
    const node = await nodes.open();
    const { notification_id } = await node.once('a', minuteMs);
    node.send = () => Promise.reject(away());
    await node.pass(minuteMs);
    for (const [tries, pause] of [5000, 15_000, 45_000, 135_000].entries()) {
      await node.hasSent(tries + 1);
      const [waiting] = await eventually('the pause', async () => {
        const pending = await node.pending('a');
        return pending[0]?.last_delivery?.at === iso(node.clock.date()) && pending;
      });
      assert.equal(waiting?.status, 'pending');
      assert.equal(waiting?.last_delivery?.status, 'retrying');
      const at = iso(node.clock.date() + pause);
      assert.equal(waiting?.last_delivery?.reason, `ntfy is away. Trying again at ${at}.`);
      await node.pass(pause - 1);
      assert.equal(node.sent.length, tries + 1);
      await node.pass(1);
    }
    await node.hasSent(5);
    await node.settled('a', 'failed');
    const [failed] = await node.pending('a');
    assert.equal(failed?.status, 'failed');
    assert.equal(failed?.last_delivery?.reason, 'Given up after 5 tries. ntfy is away.');
    assert.equal(failed?.last_delivery?.again, undefined);
    await eventually('nothing to be left to do', () => node.clock.waiting === 0);
    await node.backend.remove(notification_id, 'test');
    assert.deepEqual(await node.backend.topics(), []);
  }),
  embeddedCase('gives up at once after a permanent refusal', async (nodes) => {
    const node = await nodes.open();
    await node.cron('a', '0 9 * * *');
    node.send = () => Promise.reject(refused());
    await node.pass(hourMs);
    const { last_delivery } = await node.settled('a', 'failed');
    assert.equal(last_delivery?.reason, 'ntfy refused it.');
    const { next_occurrence } = await node.schedule('a');
    assert.equal(next_occurrence, iso(start + 25 * hourMs));
    node.send = () => Promise.resolve();
    await node.pass(24 * hourMs);
    await node.hasSent(2);
    await node.settled('a', 'delivered');
  }),
  embeddedCase('retries no earlier than the receiver asks', async (nodes) => {
    const node = await nodes.open();
    await node.once('a', minuteMs);
    node.send = () => Promise.reject(away(10 * minuteMs));
    await node.pass(minuteMs);
    await node.settled('a', 'retrying');
    node.send = () => Promise.resolve();
    await node.pass(10 * minuteMs - 1);
    assert.equal(node.sent.length, 1);
    await node.pass(1);
    await node.hasSent(2);
  }),
  embeddedCase('continues retries in another process', async (nodes) => {
    const before = await nodes.open();
    await before.once('a', minuteMs);
    before.send = () => Promise.reject(away());
    await before.pass(minuteMs);
    await before.settled('a', 'retrying');
    await before.close();
    const node = await nodes.open({ from: start + minuteMs + 4000 });
    node.send = () => Promise.reject(away());
    await node.pass(1000);
    await node.hasSent(1);
    const [waiting] = await eventually('the second pause', async () => {
      const pending = await node.pending('a');
      return pending[0]?.last_delivery?.at === iso(node.clock.date()) && pending;
    });
    assert.match(waiting?.last_delivery?.reason ?? '', new RegExp(iso(start + minuteMs + 20_000)));
    assert.equal(waiting?.last_delivery?.again, undefined);
  }),
  embeddedCase('ends a delivery after its time limit', async (nodes) => {
    const node = await nodes.open();
    await node.once('a', minuteMs);
    node.send = () => new Promise(() => undefined);
    await node.pass(minuteMs);
    await node.hasSent(1);
    node.clock.advance(minuteMs / 2);
    const { last_delivery } = await node.settled('a', 'retrying');
    assert.match(last_delivery?.reason ?? '', /not accepted within 30 s/);
  }),
  embeddedCase('does not retry paused or deleted entries', async (nodes) => {
    const node = await nodes.open();
    const { schedule_id } = await node.cron('a', '0 9 * * *');
    const { notification_id } = await node.once('b', hourMs);
    node.send = () => Promise.reject(away());
    await node.pass(hourMs);
    await node.settled('a', 'retrying');
    await node.settled('b', 'retrying');
    await node.backend.pause(schedule_id, 'test');
    await node.backend.remove(notification_id, 'test');
    const { last_delivery } = await node.schedule('a');
    assert.equal(last_delivery?.status, 'failed');
    assert.match(last_delivery?.reason ?? '', /^Paused before it was tried again\. ntfy is away\./);
    await eventually('nothing to be left to do', () => node.clock.waiting === 0);
    node.clock.advance(hourMs);
    assert.equal(node.sent.length, 2);
  }),
  embeddedCase('can pause or delete a schedule during its delivery', async (nodes) => {
    const node = await nodes.open();
    const { schedule_id } = await node.cron('a', '0 9 * * *');
    const { notification_id } = await node.once('b', hourMs);
    const { opened, open } = gate();
    node.send = async () => {
      await opened;
      throw away();
    };
    await node.pass(hourMs);
    await node.hasSent(2);
    await node.backend.pause(schedule_id, 'test');
    await node.backend.remove(notification_id, 'test');
    open();
    await node.settled('a', 'failed');
    await eventually('nothing to be left to do', () => node.clock.waiting === 0);
    assert.deepEqual(await node.backend.topics(), ['a']);
    assert.equal(node.problems.filter((each) => each.includes('could not be written')).length, 0);
  }),
  embeddedCase('limits concurrent deliveries, and delivers all', async (nodes) => {
    const node = await nodes.open({ slots: 3 });
    let [underWay, most] = [0, 0];
    node.send = async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
    };
    for (let n = 0; n < 20; n += 1) await node.once('a', minuteMs, `n${n}`);
    await node.pass(minuteMs);
    await eventually('all to be delivered', async () => (await node.backend.topics()).length === 0);
    assert.equal(new Set(node.sent.map(({ message }) => message)).size, 20);
    assert.equal(most, 3);
  }),
  embeddedCase('waits for a delivery before it closes', async (nodes) => {
    const node = await nodes.open();
    await node.once('a', minuteMs);
    const { opened, open } = gate();
    node.send = () => opened;
    await node.pass(minuteMs);
    await node.hasSent(1);
    const closing = node.close();
    open();
    await closing;
    const next = await nodes.open({ from: start + 2 * minuteMs });
    assert.deepEqual(await next.backend.topics(), []);
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

export function embeddedCase(name: string, test: (nodes: Nodes) => Promise<void>): EmbeddedCase {
  const run = async (place: string) => {
    const nodes = new Nodes(place);
    try {
      await test(nodes);
    } finally {
      await nodes.close();
    }
  };
  return { name, run };
}
