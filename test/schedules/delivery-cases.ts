// Deliveries that fail, take long or are overtaken, as cases for every engine.
import assert from 'node:assert/strict';
import { eventually } from '@tidings/live/testing';
import { DeliveryError } from '../../packages/schedules/src/source/destination/delivery-error.ts';
import { type EmbeddedCase, embeddedCase } from './embedded-case.ts';
import { gate, hourMs, minuteMs, start } from './embedded-nodes.ts';

const away = (retryAfterMs?: number) =>
  new DeliveryError('UNAVAILABLE', 'ntfy is away.', { isTemporary: true, retryAfterMs });
const refused = () => new DeliveryError('INVALID_PARAMS', 'ntfy refused it.', { isTemporary: false });
const iso = (moment: number) => new Date(moment).toISOString();

export const deliveryCases: readonly EmbeddedCase[] = [
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
];
