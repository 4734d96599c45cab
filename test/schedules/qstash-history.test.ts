// Updates, histories and dead letters in QStash, and results while its message log fails.
import { describe, expect, it } from 'vitest';
import { failureOf, ntfyUrl, openWorkbench } from './qstash-workbench.ts';

const daily = { topic: 'team-alerts', message: 'Stand-up', cron: '0 9 * * *', timezone: 'UTC', label: 'daily' };
const hourMs = 3_600_000;

describe('while only the message log of QStash fails', () => {
  it('schedules are served, with a note about missing one-offs', async () => {
    await using bench = await openWorkbench();
    const { schedule_id } = await bench.backend.addCron(daily);
    bench.account.addMessage({ url: `${ntfyUrl}/team-alerts`, notBefore: bench.clock.date() + hourMs });
    bench.qstash.fail({ status: 500 }, undefined, 'GET', '/v2/events');
    const content = await bench.backend.read('team-alerts');
    expect(content.schedules).toMatchObject([{ schedule_id, status: 'active' }]);
    expect(content.incomplete).toMatch(/made elsewhere .* are missing.*message log cannot be read/);
    expect(await bench.backend.topics()).toEqual(['team-alerts']);
    expect((await bench.backend.read('unused')).incomplete).toBeDefined();
    expect(await bench.backend.pause(schedule_id)).toMatchObject({ topic: 'team-alerts' });
    expect(bench.logged).toEqual([expect.stringContaining('message log of QStash cannot be read')]);
    bench.qstash.recover();
    expect((await bench.backend.read('team-alerts')).incomplete).toBeUndefined();
  });

  it('one-offs are shown as last seen, and no topic disappears', async () => {
    await using bench = await openWorkbench();
    bench.account.addMessage({
      url: `${ntfyUrl}/elsewhere`,
      notBefore: bench.clock.date() + hourMs,
      body: 'Tea',
      label: 'tidings-one-off',
      labels: ['tidings-one-off'],
    });
    expect(await bench.backend.topics()).toEqual(['elsewhere']);
    bench.qstash.fail('broken', undefined, 'GET', '/v2/events');
    expect(await bench.backend.topics()).toEqual(['elsewhere']);
    const { pending, incomplete } = await bench.backend.read('elsewhere');
    expect(pending).toMatchObject([{ notification_body: 'Tea' }]);
    expect(incomplete).toContain('are shown as of 2030-01-01T00:00:00.000Z');
  });

  it('a failing list of schedules is an error', async () => {
    await using bench = await openWorkbench();
    bench.qstash.fail({ status: 500 }, undefined, 'GET', '/v2/schedules');
    expect(await failureOf(bench.backend.read('team-alerts'))).toMatchObject({ code: 'UNAVAILABLE' });
  });
});

describe('an update in QStash', () => {
  it('replaces the schedule under its id, and leaves it paused', async () => {
    await using bench = await openWorkbench();
    const { schedule_id } = await bench.backend.addCron(daily);
    await bench.backend.pause(schedule_id);
    const { now } = await bench.backend.update(schedule_id, { message: 'Moved', cron: '30 9 * * *', tries: 2 });
    expect(now).toMatchObject({
      schedule_id,
      notification_body: 'Moved',
      cron_expression: '30 9 * * *',
      label: 'daily',
      status: 'paused',
    });
    expect(bench.account.schedules.size).toBe(1);
  });

  it('of a one-off is refused with advice', async () => {
    await using bench = await openWorkbench();
    const due = bench.clock.date() + hourMs;
    const { notification_id } = await bench.backend.addOneOff({ topic: 'team-alerts', message: 'Tea', due });
    const failure = await failureOf(bench.backend.update(notification_id, { message: 'Coffee' }));
    expect(failure.message).toContain('Delete it, and make a new one');
  });
});

describe('results of notifications in QStash', () => {
  it('are the history of their topic, with dead letters that can be sent again', async () => {
    await using bench = await openWorkbench();
    const { schedule_id } = await bench.backend.addCron(daily);
    await bench.backend.fire(schedule_id);
    const [message] = [...bench.account.messages.values()];
    bench.account.failDelivery(message?.messageId ?? '', 'ntfy is away', true);
    const history = await bench.backend.history('team-alerts');
    expect(history.map(({ event, by }) => `${event} by ${by}`)).toEqual([
      'failed by QStash',
      'retrying by QStash',
      'fired by QStash',
      'created by QStash',
    ]);
    expect(history[1]).toMatchObject({ reason: 'ntfy is away', notification_body: 'Stand-up' });
    const [letter] = await bench.backend.deadLetters('team-alerts');
    expect(letter).toMatchObject({ topic: 'team-alerts', status: 'failed', reason: 'ntfy answered 503.' });
    expect(await bench.backend.deadLetters('other')).toEqual([]);
    await bench.backend.resend(letter?.dead_letter_id ?? '');
    expect(await bench.backend.deadLetters()).toEqual([]);
    expect(bench.account.messages.size).toBe(1);
    expect(await failureOf(bench.backend.resend('1-1'))).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });
});
