// One-off notifications in QStash: delayed messages, listed from its log.
import { describe, expect, it } from 'vitest';
import { listTopics } from '@tidings/live';
import { topicOf } from '../../packages/schedules/src/source/backend.ts';
import { failureOf, ntfyUrl, openWorkbench } from './qstash-workbench.ts';

const alerts = topicOf('team-alerts');

describe('a one-off in QStash', () => {
  const oneOff = (bench: { clock: { date(): number } }, seconds = 600) => ({
    topic: 'team-alerts',
    message: 'Ärger?',
    due: bench.clock.date() + seconds * 1000,
  });

  it('is a delayed message, and is listed', async () => {
    await using bench = await openWorkbench();
    const made = await bench.backend.addOneOff(oneOff(bench));
    expect(made).toEqual({
      notification_id: expect.stringMatching(/^msg_/),
      notification_body: 'Ärger?',
      due: '2030-01-01T00:10:00.000Z',
      status: 'pending',
    });
    expect(bench.account.messages.get(made.notification_id)).toMatchObject({
      url: `${ntfyUrl}/team-alerts`,
      body: 'Ärger?',
      notBefore: Date.parse(made.due),
    });
    expect(await bench.backend.list()).toEqual([{ topic: 'team-alerts', schedules: [], pending: [made] }]);
    expect(bench.announced).toEqual([alerts, listTopics.resources]);
  });

  it('is due no earlier than requested, though QStash counts in seconds', async () => {
    await using bench = await openWorkbench();
    const made = await bench.backend.addOneOff({ ...oneOff(bench), due: Date.parse('2030-01-01T00:00:10.001Z') });
    expect(made.due).toBe('2030-01-01T00:00:11.000Z');
    expect((await bench.backend.read('team-alerts')).pending).toEqual([made]);
  });

  it('is listed for other processes too', async () => {
    await using bench = await openWorkbench();
    const made = await bench.backend.addOneOff(oneOff(bench));
    await using other = await openWorkbench({ backend: { url: bench.qstash.url } });
    expect((await other.backend.read('team-alerts')).pending).toEqual([made]);
  });

  it('can be read at once, before the log of QStash has it', async () => {
    await using bench = await openWorkbench();
    bench.account.delayLog();
    const made = await bench.backend.addOneOff(oneOff(bench));
    expect((await bench.backend.read('team-alerts')).pending).toEqual([made]);
    bench.account.catchUp();
    expect((await bench.backend.read('team-alerts')).pending).toEqual([made]);
    bench.account.delayLog();
    await bench.backend.remove(made.notification_id);
    expect((await bench.backend.read('team-alerts')).pending).toEqual([]);
  });

  it('stays listed by the process that created it after the log has dropped it', async () => {
    await using bench = await openWorkbench();
    const made = await bench.backend.addOneOff(oneOff(bench, 5 * 86_400));
    bench.clock.advance(4 * 86_400_000);
    bench.account.forgetLog();
    expect((await bench.backend.read('team-alerts')).pending).toEqual([made]);
    bench.clock.advance(86_400_000);
    expect((await bench.backend.read('team-alerts')).pending).toEqual([]);
  });

  it('is removed when delivered, and kept with its reason when it failed', async () => {
    await using bench = await openWorkbench();
    const first = await bench.backend.addOneOff(oneOff(bench, 60));
    const second = await bench.backend.addOneOff(oneOff(bench, 120));
    bench.clock.advance(120_000);
    bench.account.deliver(first.notification_id);
    bench.account.failDelivery(second.notification_id, 'status 503', false);
    const retrying = { status: 'retrying', at: '2030-01-01T00:02:00.000Z', reason: 'status 503' };
    expect((await bench.backend.read('team-alerts')).pending).toEqual([{ ...second, last_delivery: retrying }]);
    bench.account.failDelivery(second.notification_id, 'status 503', true);
    const failed = { ...retrying, status: 'failed' };
    expect((await bench.backend.read('team-alerts')).pending).toEqual([
      { ...second, status: 'failed', last_delivery: failed },
    ]);
  });

  it('can be deleted before its delivery, and not afterwards', async () => {
    await using bench = await openWorkbench();
    const { notification_id } = await bench.backend.addOneOff(oneOff(bench));
    expect(await bench.backend.remove(notification_id)).toMatchObject({ topic: 'team-alerts' });
    expect(bench.account.messages.size).toBe(0);
    expect((await bench.backend.read('team-alerts')).pending).toEqual([]);
    expect(await failureOf(bench.backend.remove(notification_id))).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });

  it('cannot be paused', async () => {
    await using bench = await openWorkbench();
    const { notification_id } = await bench.backend.addOneOff(oneOff(bench));
    expect(await failureOf(bench.backend.pause(notification_id))).toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringContaining('delete_schedule'),
    });
  });

  it('is sent once, even if the connection breaks before the answer', async () => {
    await using bench = await openWorkbench();
    bench.qstash.fail('broken-after', 1);
    const { notification_id } = await bench.backend.addOneOff(oneOff(bench));
    expect([...bench.account.messages.keys()]).toEqual([notification_id]);
  });

  it('is found among many others', async () => {
    await using bench = await openWorkbench();
    for (let n = 0; n < 120; n += 1) await bench.backend.addOneOff(oneOff(bench, 600 + n));
    await using other = await openWorkbench({ backend: { url: bench.qstash.url } });
    expect((await other.backend.read('team-alerts')).pending).toHaveLength(120);
  });
});
