// Updates, history, firing by hand and dead letters, as cases that run on every engine.
import assert from 'node:assert/strict';
import { eventually } from '@tidings/live/testing';
import { mostHistory } from '../../packages/schedules/src/model/history.ts';
import { deadLetterTopicOf, historyTopicOf } from '../../packages/schedules/src/source/backend.ts';
import { DeliveryError } from '../../packages/schedules/src/source/destination/delivery-error.ts';
import { Destinations, type NamedDestination } from '../../packages/schedules/src/source/destination/destinations.ts';
import { type EmbeddedCase, embeddedCase } from './embedded-case.ts';
import { type Node, gate, hourMs, minuteMs, start } from './embedded-nodes.ts';

const iso = (moment: number) => new Date(moment).toISOString();
const refused = () => new DeliveryError('INVALID_PARAMS', 'Refused.', { isTemporary: false });
const away = () => new DeliveryError('UNAVAILABLE', 'Away.', { isTemporary: true });

/** The history of a topic, oldest first. */
async function eventsOf(node: Node, topic: string): Promise<string[]> {
  return (await node.backend.history(topic)).map(({ event, by }) => `${event} by ${by}`).toReversed();
}

async function letterOf(node: Node, topic: string) {
  return eventually('a dead letter', async () => (await node.backend.deadLetters(topic))[0]);
}

export const historyCases: readonly EmbeddedCase[] = [
  embeddedCase('records a delivered one-off in the history, and announces it', async (nodes) => {
    const [node, other] = [await nodes.open(), await nodes.open()];
    const { notification_id } = await node.once('a', minuteMs, 'Hello');
    await node.pass(minuteMs);
    await eventually('the topic to be gone', async () => (await node.backend.topics()).length === 0);
    const [delivered, fired, created] = await node.backend.history('a');
    const due = { occurrence: iso(start + minuteMs), notification_body: 'Hello', destination: 'ntfy' };
    const at = iso(start + minuteMs);
    assert.deepEqual(created, {
      at: iso(start),
      event: 'created',
      schedule_id: notification_id,
      by: 'test',
      notification_body: 'Hello',
    });
    assert.deepEqual(fired, { at, event: 'fired', schedule_id: notification_id, by: 'schedule', ...due });
    assert.deepEqual(delivered, {
      at,
      event: 'delivered',
      schedule_id: notification_id,
      by: 'node',
      ...due,
      tries: 1,
    });
    const told = () => other.announced.filter((each) => each === historyTopicOf('a')).length;
    await eventually('the other node to be told of all three', () => told() >= 3);
  }),
  embeddedCase('records each try, each change and its author', async (nodes) => {
    const node = await nodes.open();
    const { schedule_id } = await node.cron('a', '0 9 * * *');
    node.send = () => Promise.reject(away());
    await node.pass(hourMs);
    await node.settled('a', 'retrying');
    node.send = () => Promise.resolve();
    await node.pass(5000);
    await node.settled('a', 'delivered');
    await node.backend.pause(schedule_id, 'ann');
    await node.backend.resume(schedule_id, 'bob');
    await node.backend.remove(schedule_id, 'eve');
    assert.deepEqual(await eventsOf(node, 'a'), [
      'created by test',
      'fired by schedule',
      'retrying by node',
      'delivered by node',
      'paused by ann',
      'resumed by bob',
      'deleted by eve',
    ]);
    const [, , , delivered] = await node.backend.history('a');
    assert.equal(delivered?.tries, 2);
  }),
  embeddedCase('records notifications that are sent at once, whether delivered or not', async (nodes) => {
    const node = await nodes.open();
    const push = { id: 'p1', at: start, topic: 'a', message: 'Now' };
    await node.backend.send(push, undefined, 'ann');
    node.send = () => Promise.reject(refused());
    await assert.rejects(node.backend.send(push, undefined, 'ann'), /Refused/);
    assert.deepEqual(await eventsOf(node, 'a'), ['delivered by ann', 'failed by ann']);
    assert.deepEqual(await node.backend.deadLetters(), []);
  }),
  embeddedCase('keeps the newest entries of a history', async (nodes) => {
    const node = await nodes.open();
    const push = { id: 'p1', at: start, topic: 'a' };
    for (let n = 0; n < mostHistory + 5; n += 1)
      await node.backend.send({ ...push, message: `n${n}` }, undefined, 'ann');
    const history = await node.backend.history('a');
    assert.equal(history.length, mostHistory);
    assert.equal(history[0]?.notification_body, `n${mostHistory + 4}`);
  }),
  embeddedCase('changes a schedule under its id, and recomputes its next occurrence', async (nodes) => {
    const node = await nodes.open();
    const { schedule_id } = await node.cron('a', '0 9 * * *');
    const { now } = await node.backend.update(schedule_id, { cron: '30 10 * * *', message: 'Later' }, 'ann');
    assert.deepEqual(now, await node.schedule('a'));
    assert.equal((await node.schedule('a')).next_occurrence, iso(start + 2.5 * hourMs));
    assert.equal(node.announcedOf('a'), 2);
    await node.pass(hourMs);
    assert.deepEqual(node.sent, []);
    await node.pass(1.5 * hourMs);
    await node.hasSent(1);
    assert.deepEqual(node.sent, [{ topic: 'a', message: 'Later' }]);
    await node.backend.update(schedule_id, { timezone: 'Europe/Oslo', label: 'tea', tries: 2 }, 'ann');
    const { timezone, label, tries, notification_body } = await node.schedule('a');
    assert.deepEqual([timezone, label, tries, notification_body], ['Europe/Oslo', 'tea', 2, 'Later']);
    await node.backend.update(schedule_id, { label: null, tries: null }, 'ann');
    const after = await node.schedule('a');
    assert.deepEqual([after.label, after.tries], [null, undefined]);
  }),
  embeddedCase('changes a paused schedule without resuming it', async (nodes) => {
    const node = await nodes.open();
    const { schedule_id } = await node.cron('a', '0 9 * * *');
    await node.backend.pause(schedule_id, 'ann');
    await node.backend.update(schedule_id, { cron: '30 10 * * *' }, 'ann');
    const { status, next_occurrence } = await node.schedule('a');
    assert.deepEqual([status, next_occurrence], ['paused', null]);
    await node.backend.resume(schedule_id, 'ann');
    assert.equal((await node.schedule('a')).next_occurrence, iso(start + 2.5 * hourMs));
  }),
  embeddedCase('refuses an invalid update, and changes nothing', async (nodes) => {
    const node = await nodes.open();
    const { schedule_id } = await node.cron('a', '0 9 * * *');
    const { notification_id } = await node.once('a', hourMs);
    const before = await node.backend.read('a');
    await assert.rejects(node.backend.update(schedule_id, { due: start + 1 }, 'ann'), { code: 'INVALID_PARAMS' });
    await assert.rejects(node.backend.update(schedule_id, { cron: '0 0 31 2 *' }, 'ann'), { code: 'INVALID_PARAMS' });
    await assert.rejects(node.backend.update(notification_id, { cron: '* * * * *' }, 'ann'), {
      code: 'INVALID_PARAMS',
    });
    await assert.rejects(node.backend.update('nobody', { message: 'x' }, 'ann'), { code: 'RESOURCE_NOT_FOUND' });
    assert.deepEqual(await node.backend.read('a'), before);
  }),
  embeddedCase('changes the time of a one-off, except during its delivery', async (nodes) => {
    const node = await nodes.open();
    const { notification_id } = await node.once('a', minuteMs, 'Hello');
    await node.backend.update(notification_id, { due: start + hourMs }, 'ann');
    await node.pass(minuteMs);
    assert.deepEqual(node.sent, []);
    const { opened, open } = gate();
    node.send = () => opened;
    await node.pass(hourMs - minuteMs);
    await node.hasSent(1);
    const update = node.backend.update(notification_id, { due: start + 2 * hourMs }, 'ann');
    await assert.rejects(update, /being sent right now/);
    open();
    await eventually('the delivery', async () => (await node.backend.topics()).length === 0);
  }),
  embeddedCase('fires a schedule by hand, paused or not, without changing its times', async (nodes) => {
    const node = await nodes.open();
    const { schedule_id } = await node.cron('a', '0 9 * * *');
    await node.backend.fire(schedule_id, 'ann');
    await node.settled('a', 'delivered');
    assert.equal((await node.schedule('a')).next_occurrence, iso(start + hourMs));
    assert.equal((await node.schedule('a')).last_occurrence, iso(start));
    assert.deepEqual(await eventsOf(node, 'a'), ['created by test', 'fired by ann', 'delivered by node']);
    await node.backend.pause(schedule_id, 'ann');
    node.clock.advance(1);
    await node.backend.fire(schedule_id, 'ann');
    await node.hasSent(2);
    assert.equal(new Set(node.ids).size, 2);
  }),
  embeddedCase('fires a one-off by hand once', async (nodes) => {
    const node = await nodes.open();
    const { notification_id } = await node.once('a', hourMs, 'Hello');
    await node.backend.fire(notification_id, 'ann');
    await eventually('the delivery', async () => (await node.backend.topics()).length === 0);
    node.clock.advance(2 * hourMs);
    assert.deepEqual(node.sent, [{ topic: 'a', message: 'Hello' }]);
  }),
  embeddedCase(
    'keeps notifications that a schedule could not deliver, and sends them again on request',
    async (nodes) => {
      const [node, other] = [await nodes.open(), await nodes.open()];
      const { schedule_id } = await node.cron('a', '0 9 * * *');
      node.send = () => Promise.reject(refused());
      // With a clock far behind, the other process would correct the next occurrence, and it would be fired again.
      await other.asleep();
      other.clock.advance(hourMs - 1);
      await node.pass(hourMs);
      const { dead_letter_id, ...letter } = await letterOf(node, 'a');
      assert.deepEqual(letter, {
        topic: 'a',
        schedule_id,
        notification_body: '0 9 * * * in UTC',
        status: 'failed',
        reason: 'Refused.',
        occurrence: iso(start + hourMs),
        at: iso(start + hourMs),
      });
      await eventually('the other to be told', () => other.announced.includes(deadLetterTopicOf('a')));
      // A dead letter remains after its schedule is deleted.
      await node.backend.remove(schedule_id, 'ann');
      node.send = () => Promise.resolve();
      const { now } = await node.backend.resend(dead_letter_id, 'ann');
      assert.ok(now && 'notification_id' in now);
      await eventually('the delivery', async () => (await node.backend.topics()).length === 0);
      assert.equal(node.sent.at(-1)?.message, '0 9 * * * in UTC');
      assert.deepEqual(await node.backend.deadLetters(), []);
      assert.deepEqual((await eventsOf(node, 'a')).slice(-4), [
        'deleted by ann',
        'resent by ann',
        'fired by schedule',
        'delivered by node',
      ]);
      await assert.rejects(node.backend.resend(dead_letter_id, 'ann'), { code: 'RESOURCE_NOT_FOUND' });
    },
  ),
  embeddedCase('sends a failed one-off again, and keeps its dead letter if that fails too', async (nodes) => {
    const node = await nodes.open();
    const { notification_id } = await node.once('a', minuteMs, 'Hello');
    node.send = () => Promise.reject(refused());
    await node.pass(minuteMs);
    const first = await letterOf(node, 'a');
    await node.backend.resend(first.dead_letter_id, 'ann');
    const second = await eventually('another letter', async () => {
      const letter = await letterOf(node, 'a');
      return letter.dead_letter_id === first.dead_letter_id ? undefined : letter;
    });
    assert.equal(second.schedule_id, notification_id);
    assert.equal((await node.backend.deadLetters('a')).length, 1);
    node.send = () => Promise.resolve();
    await node.backend.resend(second.dead_letter_id, 'ann');
    await eventually('the delivery', async () => (await node.backend.topics()).length === 0);
    assert.deepEqual(await node.backend.deadLetters(), []);
  }),
  embeddedCase('deletes a one-off with its dead letter, by the id of either', async (nodes) => {
    const node = await nodes.open();
    node.send = () => Promise.reject(refused());
    const one = await node.once('a', minuteMs);
    await node.once('b', minuteMs);
    await node.pass(minuteMs);
    await letterOf(node, 'a');
    const { dead_letter_id } = await letterOf(node, 'b');
    await node.backend.remove(one.notification_id, 'ann');
    await node.backend.remove(dead_letter_id, 'ann');
    assert.deepEqual(await node.backend.deadLetters(), []);
    assert.deepEqual(await node.backend.topics(), []);
  }),
  embeddedCase('limits tries to the number set for the destination or the schedule', async (nodes) => {
    const destinations = destinationsWith({ failing: { tries: 2 } });
    const node = await nodes.open({ destinations });
    const due = start + minuteMs;
    await node.backend.addOneOff({ topic: 'a', message: 'twice', due, destination: 'failing' }, 'test');
    await node.backend.addOneOff({ topic: 'b', message: 'once', due, destination: 'failing', tries: 1 }, 'test');
    await node.pass(minuteMs);
    assert.equal((await letterOf(node, 'b')).reason, 'Given up after one try. Away.');
    await node.settled('a', 'retrying');
    await node.pass(1000);
    assert.equal((await letterOf(node, 'a')).reason, 'Given up after 2 tries. Away.');
  }),
  embeddedCase('leaves a delivery to a process that has its destination', async (nodes) => {
    const without = await nodes.open({ destinations: destinationsWith({ chat: { problem: 'it has no CHAT_URL' } }) });
    const sent: string[] = [];
    const having = await nodes.open({ destinations: destinationsWith({ chat: { sent } }) });
    const due = start + minuteMs;
    await without.backend.addOneOff({ topic: 'a', message: 'Hello', due, destination: 'chat' }, 'test');
    await without.pass(minuteMs);
    await having.asleep();
    having.clock.advance(minuteMs);
    // If the other process checked first, this one checks again a little later.
    await eventually('the delivery', async () => {
      having.clock.advance(50);
      return (await having.backend.topics()).length === 0;
    });
    assert.deepEqual(sent, ['Hello']);
  }),
  embeddedCase('reports why no process can send a notification', async (nodes) => {
    const destinations = destinationsWith({ chat: { problem: 'its environment has no CHAT_URL', tries: 1 } });
    const node = await nodes.open({ destinations });
    const due = start + minuteMs;
    await node.backend.addOneOff({ topic: 'a', message: 'Hello', due, destination: 'chat' }, 'test');
    const letter = await eventually('the dead letter', async () => {
      node.clock.advance(1000);
      return (await node.backend.deadLetters('a'))[0];
    });
    assert.match(letter.reason, /Not sent: its environment has no CHAT_URL/);
    assert.ok(node.clock.date() >= due + 10_000, 'others had time to take it');
  }),
];

interface Faked {
  tries?: number;
  problem?: string;
  sent?: string[];
}

function destinationsWith(faked: Record<string, Faked>): Destinations {
  const named = Object.entries(faked).map(([name, { tries = 5, problem, sent }]): [string, NamedDestination] => {
    const send = async ({ message }: { message: string }) => {
      if (!sent) throw away();
      sent.push(message);
    };
    return [name, { destination: { kind: 'fake', words: name, send }, retries: { tries, pauseMs: 1000 }, problem }];
  });
  return new Destinations(new Map(named));
}
