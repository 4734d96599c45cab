// The schedules server on QStash, as MCP clients see it.
import { openSchedules } from '@tidings/schedules';
import { connectMemory, eventually } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { QstashServer } from '../support/counterpart/qstash-server.ts';

const ntfyUrl = 'https://ntfy.example';
const token = 'a-token';

async function openStory() {
  const qstash = await QstashServer.start({ token });
  // The embedded scheduler needs the place; it is not started here.
  const settings = { place: '', qstashToken: token, qstashUrl: qstash.url, ntfyUrl, pollMs: 20 };
  const server = await openSchedules(settings);
  const close = async () => {
    await server.close();
    await qstash.close();
  };
  return { server, qstash, [Symbol.asyncDispose]: close };
}

describe.each(['modern', 'legacy'] as const)('a client of the %s era', (era) => {
  it('is notified of a schedule created elsewhere, and reads it', async () => {
    await using story = await openStory();
    const client = await connectMemory(story.server, era);
    await client.subscribe('schedules://team-alerts');
    story.qstash.account.addSchedule({ destination: `${ntfyUrl}/team-alerts`, cron: '0 9 * * *', body: 'Stand-up' });
    await eventually('the update', () => client.updates.includes('schedules://team-alerts'));
    expect(JSON.parse(await client.read('schedules://team-alerts'))).toMatchObject({
      count: 1,
      schedules: [{ notification_body: 'Stand-up', status: 'active' }],
    });
    await client.close();
  });

  it('is notified of changes that another client makes through tools', async () => {
    await using story = await openStory();
    const [a, b] = [await connectMemory(story.server, era), await connectMemory(story.server, era)];
    await a.read('schedules://team-alerts');
    await a.subscribe('schedules://team-alerts');
    const message = { message: 'Tea', notification_topic: 'team-alerts' };
    await b.call('schedule_cron_notification', { ...message, cron: '0 16 * * *', timezone: 'Europe/London' });
    await eventually('the update', () => a.updates.length > 0);
    await eventually('the list', () => a.listChanges.length > 0);
    const [schedule] = JSON.parse(await a.read('schedules://team-alerts')).schedules;
    expect(schedule).toMatchObject({
      cron_expression: '0 16 * * *',
      timezone: 'Europe/London',
      notification_body: 'Tea',
    });
    await b.call('delete_schedule', { schedule_id: schedule.schedule_id });
    expect(JSON.parse(await a.read('schedules://team-alerts'))).toMatchObject({ count: 0 });
    await a.close();
    await b.close();
  });
});
