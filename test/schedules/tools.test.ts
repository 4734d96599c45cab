// The tools, with good and bad input from an agent.
import { rm } from 'node:fs/promises';
import { Client } from '@modelcontextprotocol/client';
import { type LiveServer, serveMemory } from '@tidings/live';
import { eventually } from '@tidings/live/testing';
import { openSchedules } from '@tidings/schedules';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NtfyReceiver } from '../support/counterpart/ntfy-receiver.ts';
import { temporaryFolder } from './cells.ts';

let data: string;
let ntfy: NtfyReceiver;
let server: LiveServer;
let client: Client;

beforeEach(async () => {
  data = await temporaryFolder();
  ntfy = await NtfyReceiver.start();
  server = await openSchedules({ place: data, ntfyUrl: ntfy.url });
  client = new Client({ name: 'agent', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(serveMemory(server));
});

afterEach(async () => {
  await client.close();
  await server.close();
  await ntfy[Symbol.asyncDispose]();
  await rm(data, { recursive: true });
});

async function call(name: string, args: Record<string, unknown> = {}) {
  const { isError = false, structuredContent, content } = await client.callTool({ name, arguments: args });
  const [first] = content;
  return { isError, structuredContent, text: first?.type === 'text' ? first.text : '', content };
}

const to = { message: 'hello', notification_topic: 'my-alerts' };

it('declares subscriptions, and describes its templates and tools', async () => {
  expect(client.getServerCapabilities()?.resources).toMatchObject({ subscribe: true, listChanged: true });
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain('schedules://{topic}');
  const { tools } = await client.listTools();
  expect(tools.filter(({ description = '' }) => description === '')).toEqual([]);
});

describe('bad input', () => {
  it.each([
    ['schedule_cron_notification', { ...to, cron: '60 99 * * *', timezone: 'UTC' }, /minute.*Example/s],
    ['schedule_cron_notification', { ...to, cron: '* * *', timezone: 'UTC' }, /field/],
    ['schedule_cron_notification', { ...to, cron: '0 0 31 2 *', timezone: 'UTC' }, /never/],
    ['schedule_cron_notification', { ...to, cron: '0 9 * * *', timezone: 'Europe/Atlantis' }, /time zone/],
    ['schedule_cron_notification', { ...to, cron: '0 9 * * *', timezone: 'UTC', label: 'a b' }, /label/i],
    [
      'schedule_cron_notification',
      { ...to, notification_topic: 'My Alerts', cron: '0 9 * * *', timezone: 'UTC' },
      /topic/,
    ],
    [
      'schedule_cron_notification',
      { ...to, notification_topic: 'a'.repeat(65), cron: '0 9 * * *', timezone: 'UTC' },
      /64/,
    ],
    ['schedule_cron_notification', { ...to, message: ' ', cron: '0 9 * * *', timezone: 'UTC' }, /message/i],
    ['schedule_cron_notification', { ...to, message: 'x'.repeat(5000), cron: '0 9 * * *', timezone: 'UTC' }, /4096/],
    ['schedule_notification', { ...to, delay: '0s' }, /delay/i],
    ['schedule_notification', { ...to, delay: '10m\n' }, /delay/i],
    ['schedule_notification', { ...to, delay: '10m', datetime: '2030-01-01T00:00:00Z' }, /one/],
    ['schedule_notification', { ...to }, /one/],
    ['schedule_notification', { ...to, datetime: '2020-01-01T00:00:00Z' }, /past/],
    ['schedule_notification', { ...to, datetime: '2030-01-01T00:00:00' }, /offset/],
    ['pause_schedule', { schedule_id: 'nobody' }, /nobody/],
    ['resume_schedule', { schedule_id: 'nobody' }, /nobody/],
    ['delete_schedule', { schedule_id: 'nobody' }, /nobody/],
    ['get_current_time', { timezone: 'Moon/Base' }, /time zone/],
  ])('%s %j is refused with a reason', async (tool, args, reason) => {
    const { isError, text } = await call(tool, args);
    expect(isError).toBe(true);
    expect(text).toMatch(reason);
    expect((await client.listResources()).resources.filter(({ uri }) => uri.startsWith('schedules:'))).toEqual([]);
  });

  it('finds no schedules for an invalid topic', async () => {
    await expect(client.readResource({ uri: 'schedules://Not%20a%20topic' })).rejects.toThrow('cannot be a topic');
  });
});

describe('an answer', () => {
  it('says where notifications go, and links the changed resources', async () => {
    const { structuredContent, content } = await call('schedule_notification', { ...to, delay: '2h' });
    expect(structuredContent).toMatchObject({ success: true, destination: `ntfy at ${ntfy.url.replace(/\/$/, '')}` });
    expect(content).toContainEqual(expect.objectContaining({ type: 'resource_link', uri: 'schedules://my-alerts' }));
    const { structuredContent: list } = await call('list_scheduled_notifications');
    expect(list).toMatchObject({
      topics: [{ topic: 'my-alerts', count: 0, pending: [{ notification_body: 'hello' }] }],
    });
  });

  it('returns the current time', async () => {
    const { structuredContent } = await call('get_current_time', { timezone: 'europe/oslo' });
    expect(structuredContent).toMatchObject({
      timezone: 'Europe/Oslo',
      local: expect.stringMatching(/GMT\+0[12]:00$/),
    });
  });
});

describe('a notification', () => {
  it('that is sent at once arrives with all fields that ntfy supports', async () => {
    const { isError } = await call('send_push_notification', {
      ...to,
      title: 'Hi',
      priority: 4,
      tags: ['tada'],
      markdown: true,
    });
    expect(isError).toBe(false);
    expect(ntfy.received).toMatchObject([
      { topic: 'my-alerts', message: 'hello', title: 'Hi', priority: 4, tags: ['tada'] },
    ]);
  });

  it('that is scheduled arrives when due, and is then no longer pending', async () => {
    await call('schedule_notification', { ...to, delay: '1s' });
    await eventually('the notification', () => ntfy.received.length === 1);
    expect(ntfy.received).toMatchObject([{ topic: 'my-alerts', message: 'hello' }]);
    await eventually('an empty topic', async () => {
      const { contents } = await client.readResource({ uri: 'schedules://my-alerts' });
      return JSON.stringify(contents).includes('\\"pending\\":[]');
    });
  });
});

it('serves examples and help for cron expressions', async () => {
  const read = async (uri: string) => {
    const [first] = (await client.readResource({ uri })).contents;
    return JSON.parse(first && 'text' in first ? first.text : 'null');
  };
  const { examples, format_help } = await read('cron://examples');
  expect(format_help).toContain('Five fields');
  const { timezones, count } = await read('timezones://valid');
  expect(timezones).toContainEqual({ zone: 'Europe/Oslo', region: 'Europe' });
  expect(count).toBe(timezones.length);
  for (const { expression } of examples) {
    const { isError } = await call('schedule_cron_notification', { ...to, cron: expression, timezone: 'UTC' });
    expect(isError, expression).toBe(false);
  }
});
