// The page creates, changes, pauses, fires and deletes schedules.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectMemory, eventually } from '@tidings/live/testing';
import { openSchedules } from '@tidings/schedules';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type RunningHub, runningHub } from '../hub/running-hub.ts';
import { HttpSink } from '../support/counterpart/http-sink.ts';
import { FaultyProxy } from '../support/network/faulty-proxy.ts';
import { describeWith } from '../support/run/needs.ts';
import { builtPages, chromiumNeed, openPage, sharedBrowser } from './open-page.ts';

describeWith(chromiumNeed, 'schedules in the dashboard', () => {
  let browser: Browser;
  let hub: RunningHub;
  let ntfy: HttpSink;
  let place: string;

  beforeAll(async () => {
    browser = await sharedBrowser();
    ntfy = await HttpSink.start();
    place = await mkdtemp(join(tmpdir(), 'tidings-page-'));
    hub = await runningHub({
      servers: [{ id: 'plans', builtin: 'schedules', enabled: true, trackResources: true }],
      builtins: { schedules: () => openSchedules({ place, ntfyUrl: ntfy.url }) },
      pages: builtPages,
    });
    await hub.isLive('plans');
  });

  afterAll(async () => {
    await hub[Symbol.asyncDispose]();
    await ntfy[Symbol.asyncDispose]();
    await rm(place, { recursive: true, force: true });
  });

  const sent = () => ntfy.received.map(({ body }) => JSON.parse(body).message);

  it('are created, changed, paused, sent and deleted', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/schedules`);
    const { page } = opened;
    await page.getByText('Nothing is planned.').waitFor();
    await page.getByRole('button', { name: 'New schedule' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('textbox', { name: 'Topic' }).fill('team-alerts');
    await form.getByLabel('Message').fill('Stand-up');
    await form.getByLabel('Cron expression').fill('99 9 * * *');
    await form.getByLabel('Time zone').fill('Europe/Oslo');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByRole('alert').getByText('minute').waitFor();
    await form.getByLabel('Cron expression').fill('0 9 * * *');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });

    const topic = page.getByRole('region', { name: 'Topic team-alerts' });
    const row = topic.getByRole('listitem', { name: 'Stand-up', exact: true });
    await row.getByText('0 9 * * *').waitFor();
    await row.getByText('active').waitFor();
    await topic.getByText('ntfy at').waitFor();
    await row.getByRole('button', { name: 'Pause' }).click();
    await row.getByText('paused').waitFor();
    await row.getByRole('button', { name: 'Resume' }).click();
    await row.getByText('active').waitFor();

    await row.getByRole('button', { name: 'Edit' }).click();
    await form.getByLabel('Message').fill('Stand-up, moved');
    await form.getByLabel('Cron expression').fill('30 9 * * *');
    await form.getByRole('button', { name: 'Save' }).click();
    const moved = topic.getByRole('listitem', { name: 'Stand-up, moved' });
    await moved.getByText('30 9 * * *').waitFor();

    await moved.getByRole('button', { name: 'Send now' }).click();
    await eventually('the notification', () => sent().includes('Stand-up, moved'));
    await moved.getByText('Last: delivered').waitFor();
    await topic.getByRole('button', { name: 'History' }).click();
    const history = page.getByRole('list', { name: 'History of team-alerts' });
    await history.getByText('fired by dashboard').waitFor();
    await history.getByText('delivered by').waitFor();

    await moved.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Nothing is planned.').waitFor();
  });

  it('show a change that another client makes', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/schedules`);
    const { page } = opened;
    const client = await hub.connect('modern', '/mcp/plans');
    const later = { message: 'Tea', notification_topic: 'kitchen', delay: '2h' };
    await client.call('schedule_notification', later);
    const row = page.getByRole('region', { name: 'Topic kitchen' }).getByRole('listitem', { name: 'Tea' });
    await row.getByText('waiting').waitFor();
    await row.getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
    await client.close();
  });

  it('keep an open form while the connection to the hub is lost and made again', async () => {
    const proxy = await FaultyProxy.open(hub.url);
    await using opened = await openPage(browser, `${proxy.url}/#/schedules`, { mayBeAway: true });
    const { page } = opened;
    await page.getByRole('button', { name: 'New schedule' }).click();
    const message = page.getByRole('dialog').getByLabel('Message');
    await message.fill('Half a sentence');
    proxy.cut();
    await page.getByRole('status').filter({ hasText: 'Reconnected' }).waitFor();
    expect(await message.inputValue()).toBe('Half a sentence');
    await proxy.close();
  });

  it('keep a destination that no longer exists, and are closed unchanged', async () => {
    const own = await mkdtemp(join(tmpdir(), 'tidings-page-'));
    onTestFinished(() => rm(own, { recursive: true }));
    const destinationsFile = join(own, 'destinations.json');
    await writeFile(destinationsFile, JSON.stringify({ destinations: { chat: { kind: 'ntfy', url: ntfy.url } } }));
    const before = await openSchedules({ place: own, destinationsFile });
    const client = await connectMemory(before, 'modern');
    const schedule = { message: 'Tea', notification_topic: 'kitchen', cron: '0 15 * * *', timezone: 'UTC' };
    await client.call('schedule_cron_notification', { ...schedule, destination: 'chat' });
    await client.close();
    await before.close();
    await using later = await runningHub({
      servers: [{ id: 'plans', builtin: 'schedules', enabled: true, trackResources: true }],
      builtins: { schedules: () => openSchedules({ place: own, ntfyUrl: ntfy.url }) },
      pages: builtPages,
    });
    await later.isLive('plans');
    await using opened = await openPage(browser, `${later.url}/#/schedules`);
    const { page } = opened;
    await page.getByRole('listitem', { name: 'Tea' }).getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('dialog');
    expect(await form.getByLabel('Destination').inputValue()).toBe('chat');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
  });

  it('that failed for good are sent again', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/schedules`);
    const { page } = opened;
    ntfy.answer = 403;
    await page.getByRole('button', { name: 'New schedule' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('textbox', { name: 'Topic' }).fill('lost');
    await form.getByLabel('Repeats').selectOption('Once');
    await form.getByLabel('Message').fill('Try me');
    await form.getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('region', { name: 'Topic lost' })
      .getByRole('listitem', { name: 'Try me' })
      .getByRole('button', { name: 'Send now' })
      .click();
    const letter = page.getByRole('region', { name: 'Dead letters' }).getByRole('listitem', { name: 'Try me' });
    await letter.getByText('answered 403').waitFor();
    ntfy.answer = 200;
    const before = sent().length;
    await letter.getByRole('button', { name: 'Send again' }).click();
    await eventually('the notification', () => sent().length > before);
    await letter.waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Topic lost' }).waitFor({ state: 'detached' });
  });
});
