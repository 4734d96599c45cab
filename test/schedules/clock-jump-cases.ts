// Schedules while the clock of a machine is set, as cases for every engine.
import assert from 'node:assert/strict';
import { eventually } from '@tidings/live/testing';
import { type EmbeddedCase, embeddedCase } from './embedded-case.ts';
import { type Node, gate, hourMs, minuteMs, start } from './embedded-nodes.ts';

const dayMs = 24 * hourMs;
const iso = (moment: number) => new Date(moment).toISOString();

/** Sets the clock by `ms`; the scheduler notices when it wakes. */
async function setClock(node: Node, ms: number): Promise<void> {
  await node.asleep();
  node.clock.jump(ms);
  node.clock.advance(minuteMs);
}

/** Advances the clock to `moment`, at most one minute at a time. */
async function until(node: Node, moment: number): Promise<void> {
  while (node.clock.date() < moment) await node.pass(Math.min(minuteMs, moment - node.clock.date()));
}

/** Waits until the next occurrence is at `moment`. */
async function firesNext(node: Node, moment: number): Promise<void> {
  await eventually(`the next occurrence to be ${iso(moment)}`, async () => {
    node.clock.advance(1);
    return (await node.schedule('a')).next_occurrence === iso(moment);
  });
}

/**
 * Like `node.hasSent`, but advances the clock: a check that began before the clock was set sleeps once
 * more.
 */
async function hasSent(node: Node, count: number): Promise<void> {
  await eventually(`${count} notifications`, () => {
    node.clock.advance(1);
    return node.sent.length >= count;
  });
}

const marks = (node: Node) => node.sent.map(({ tags }) => tags?.join() ?? '');

export const clockJumpCases: readonly EmbeddedCase[] = [
  embeddedCase('recovers when the clock was a day ahead for a while', async (nodes) => {
    const node = await nodes.open();
    await node.cron('a', '0 * * * *');
    await until(node, start + hourMs);
    await hasSent(node, 1);
    await setClock(node, dayMs);
    // By the wrong clock, only the last occurrence is within the grace period.
    await hasSent(node, 2);
    await firesNext(node, start + dayMs + 2 * hourMs);
    await until(node, start + dayMs + 2 * hourMs);
    await hasSent(node, 3);
    await setClock(node, -dayMs);
    await firesNext(node, start + 3 * hourMs);
    await until(node, start + 3 * hourMs);
    await hasSent(node, 4);
    assert.deepEqual(marks(node), ['', '', '', '']);
    const { last_occurrence, next_occurrence } = await node.schedule('a');
    assert.deepEqual([last_occurrence, next_occurrence], [iso(start + 3 * hourMs), iso(start + 4 * hourMs)]);
    // Occurrences that fired a day early fire again at the right time, marked as repeated.
    await node.settled('a', 'delivered');
    for (let hour = 4; hour <= 27; hour += 1) {
      await firesNext(node, start + hour * hourMs);
      await until(node, start + hour * hourMs);
      await hasSent(node, hour + 1);
      await node.settled('a', 'delivered');
      const { last_delivery } = await node.schedule('a');
      const isEarly = hour === 25 || hour === 26;
      assert.deepEqual([hour, last_delivery?.again], [hour, isEarly ? true : undefined]);
      assert.equal(marks(node).at(-1), isEarly ? 'repeat' : '');
    }
    assert.equal(node.sent.length, 28);
  }),
  embeddedCase('recovers after a restart when the clock was a day ahead before', async (nodes) => {
    const before = await nodes.open({ from: start + dayMs });
    await before.cron('a', '0 * * * *');
    await until(before, start + dayMs + hourMs);
    await hasSent(before, 1);
    await before.settled('a', 'delivered');
    await before.close();
    const node = await nodes.open({ from: start });
    await firesNext(node, start + hourMs);
    await until(node, start + hourMs);
    await hasSent(node, 1);
    assert.deepEqual(marks(node), ['']);
    assert.ok(node.problems.some((each) => each.includes('The clock was ahead')));
  }),
  embeddedCase('marks an occurrence as repeated when the clock was set back', async (nodes) => {
    const node = await nodes.open();
    await node.cron('a', '0 * * * *');
    for (const hour of [1, 2]) {
      await until(node, start + hour * hourMs);
      await hasSent(node, hour);
      await node.settled('a', 'delivered');
      await firesNext(node, start + (hour + 1) * hourMs);
    }
    await setClock(node, -90 * minuteMs);
    await firesNext(node, start + hourMs);
    await until(node, start + hourMs);
    await hasSent(node, 3);
    const { last_delivery } = await eventually('the delivery', async () => {
      const schedule = await node.schedule('a');
      return schedule.last_delivery && schedule;
    });
    assert.equal(last_delivery?.again, true);
    assert.match(last_delivery?.reason ?? '', /clock was set back/);
    // Correct again: the second hour was already sent, so it is not sent a third time.
    await setClock(node, 90 * minuteMs);
    await firesNext(node, start + 3 * hourMs);
    await until(node, start + 3 * hourMs);
    await hasSent(node, 4);
    assert.deepEqual(marks(node), ['', '', 'repeat', '']);
  }),
  embeddedCase('fires each occurrence once when the clock is corrected by seconds', async (nodes) => {
    const node = await nodes.open();
    await node.cron('a', '0 * * * *');
    await until(node, start + hourMs);
    await hasSent(node, 1);
    await node.settled('a', 'delivered');
    await node.asleep();
    node.clock.jump(-2000);
    await until(node, start + hourMs + 5 * minuteMs);
    assert.equal(node.sent.length, 1);
    await firesNext(node, start + 2 * hourMs);
  }),
  embeddedCase('sends a one-off that was recorded as missed while the clock was ahead', async (nodes) => {
    const node = await nodes.open();
    await node.once('a', 3 * hourMs);
    await setClock(node, dayMs);
    await eventually('it to be missed', async () => {
      node.clock.advance(1);
      return (await node.pending('a'))[0]?.status === 'missed';
    });
    await setClock(node, -dayMs);
    const due = iso(start + 3 * hourMs);
    await eventually('it to wait again', async () => {
      node.clock.advance(1);
      const [waiting] = await node.pending('a');
      return waiting?.status === 'pending' && waiting.due === due;
    });
    assert.deepEqual(node.sent, []);
    await until(node, start + 3 * hourMs);
    await hasSent(node, 1);
    await eventually('it to be done', async () => (await node.backend.topics()).length === 0);
    assert.deepEqual(marks(node), ['']);
  }),
  embeddedCase('takes over within the hour from a process that ended while its clock was ahead', async (nodes) => {
    const dying = await nodes.open({ from: start + dayMs });
    await dying.once('a', minuteMs);
    dying.send = () => gate().opened;
    await dying.pass(minuteMs);
    await hasSent(dying, 1);
    await dying.abandon();
    const living = await nodes.open({ from: start });
    await eventually('the lease to end within the hour', () => {
      // On a busy machine the scheduler may need longer than this to check.
      if (living.clock.date() < start + hourMs) living.clock.advance(minuteMs / 2);
      return living.sent.length > 0;
    });
    assert.deepEqual(living.sent, [{ topic: 'a', message: 'once', tags: ['repeat'] }]);
  }),
  embeddedCase('fires each occurrence once in several processes whose clock was ahead', async (nodes) => {
    const all = [await nodes.open(), await nodes.open(), await nodes.open()];
    const [first] = all;
    assert.ok(first);
    await first.cron('a', '0 * * * *');
    const total = () => all.flatMap(({ sent }) => sent).length;
    const pass = async (ms: number) => {
      for (const node of all) await node.asleep();
      for (const node of all) node.clock.advance(ms);
    };
    for (const node of all) await node.asleep();
    for (const node of all) node.clock.jump(dayMs);
    await pass(hourMs);
    await eventually('the one ahead', () => {
      for (const node of all) node.clock.advance(1);
      return total() === 1;
    });
    await firesNext(first, start + dayMs + 2 * hourMs);
    for (const node of all) await node.asleep();
    for (const node of all) node.clock.jump(-dayMs);
    await pass(minuteMs);
    await firesNext(first, start + 2 * hourMs);
    await pass(59 * minuteMs);
    await eventually('the next one', () => {
      for (const node of all) node.clock.advance(1);
      return total() === 2;
    });
    await firesNext(first, start + 3 * hourMs);
    assert.deepEqual(
      all.flatMap((node) => marks(node)),
      ['', ''],
    );
  }),
  embeddedCase('fires on time after a process whose clock was ahead has ended', async (nodes) => {
    const right = await nodes.open();
    await right.cron('a', '0 * * * *');
    const wrong = await nodes.open({ from: start + dayMs });
    await hasSent(wrong, 1);
    await wrong.settled('a', 'delivered');
    await wrong.close();
    await until(right, start + 15 * minuteMs);
    await firesNext(right, start + hourMs);
    await until(right, start + hourMs);
    await hasSent(right, 1);
    assert.deepEqual(marks(right), ['']);
  }),
];
