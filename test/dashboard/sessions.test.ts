// The page attaches and detaches agents.
import { eventually } from '@tidings/live/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NotesUpstream } from '../hub/notes-upstream.ts';
import { type RunningHub, runningHub } from '../hub/running-hub.ts';
import { describeWith } from '../support/run/needs.ts';
import { RealtimeServer } from '../support/counterpart/realtime-server.ts';
import { builtPages, chromiumNeed, openPage, sharedBrowser } from './open-page.ts';

describeWith(chromiumNeed, 'agents in the dashboard', () => {
  let browser: Browser;
  let hub: RunningHub;
  let notes: NotesUpstream;
  let realtime: RealtimeServer;

  beforeAll(async () => {
    browser = await sharedBrowser();
    notes = await NotesUpstream.start('modern');
    for (const name of ['a', 'b']) notes.put(name, 'first');
    realtime = await RealtimeServer.start();
    hub = await runningHub({
      servers: [notes.entry('notes'), notes.entry('again')],
      config: { realtime: [realtime.url] },
      pages: builtPages,
      env: { REALTIME_KEY: 'sk-test' },
    });
    await hub.isLive('notes', 'again');
  });

  afterAll(async () => {
    await hub[Symbol.asyncDispose]();
    await realtime[Symbol.asyncDispose]();
    await notes[Symbol.asyncDispose]();
  });

  it('are attached with a form that reports mistakes, get the requested updates, and are detached', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/sessions`, { mayBeRefused: true });
    const { page } = opened;
    const shown = page.locator('.sessions a[aria-current]');
    await page.getByRole('button', { name: 'Attach an agent' }).click();
    const form = page.getByRole('dialog', { name: 'Attach an agent' });
    await form.getByRole('button', { name: 'Attach' }).click();
    await form.getByRole('alert').getByText("the hub's environment has no OPENAI_API_KEY").waitFor();
    await form.getByLabel('Key').fill('REALTIME_KEY');
    await form.getByLabel('Address').fill('http://nowhere');
    await form.getByRole('button', { name: 'Attach' }).click();
    await form.getByRole('alert').getByText('must be a ws:// or wss:// address').waitFor();
    await form.getByLabel('Address').fill(realtime.url);
    await form.getByLabel('When').selectOption('Between turns, 3 s at the most');
    await form.getByLabel('Tell').selectOption('With its content');
    await form.getByLabel('Resources').fill('note://a, note://x/**');
    await form.getByLabel('again').uncheck();
    await form.getByRole('button', { name: 'Attach' }).click();
    await form.waitFor({ state: 'detached' });

    await shown.filter({ hasText: /OpenAI Realtime.*attached/ }).waitFor();
    await page
      .getByText('Between turns · with its content · only of notes · only note://a, note://x/**', { exact: true })
      .waitFor();
    notes.put('b', 'not for it');
    notes.put('a', `second${'\nline'.repeat(50)}\nlast`);
    await page.getByRole('listitem').filter({ hasText: 'Resource note://a updated for MCP server notes' }).waitFor();
    await eventually('the message', () => realtime.messages.length === 1);
    expect(realtime.messages[0]).toMatch(/^Resource note:\/\/a updated for MCP server notes at \S+$/);
    // The content is a separate message, marked as data in the role of the user.
    await eventually('its content', () => realtime.contents.length === 1);
    const row = page.getByRole('listitem').filter({ hasText: 'user, data' });
    expect(await row.locator('.what').innerText()).toMatch(/^second\s/);
    await row.getByRole('button', { name: 'Show all' }).click();
    const whole = page.getByRole('dialog', { name: 'What the agent was told' });
    expect(await whole.locator('pre').innerText()).toBe(realtime.contents[0]);
    await whole.getByRole('button', { name: 'Close' }).click();
    await whole.waitFor({ state: 'detached' });

    page.once('dialog', (question) => void question.accept());
    await page.getByRole('button', { name: 'Detach' }).click();
    await shown.filter({ hasText: 'Built-in transcript' }).waitFor();
    await page.getByRole('link', { name: /OpenAI Realtime/ }).waitFor({ state: 'detached' });
    expect(hub.hub.sessions.list()).toHaveLength(1);
  });

  it('are shown again after their transcript could not be read, instead of as empty', async () => {
    notes.put('b', 'said');
    await eventually('it to be said', () => hub.hub.sessions.get('transcript').status().messages > 0);
    await using opened = await openPage(browser, `${hub.url}/#/servers`, { mayBeAway: true });
    const { page } = opened;
    let refused = 0;
    await page.route('**/transcript', (route) => {
      refused += 1;
      return refused === 1 ? route.abort('connectionreset') : route.fallback();
    });
    await page.getByRole('link', { name: 'Sessions' }).click();
    await eventually('the transcript to be asked for', () => refused > 0);
    expect(await page.getByText('No messages yet').count()).toBe(0);
    await page.getByText('Resource note://b updated for MCP server notes').first().waitFor();
  });

  it('the form closes without attaching, by key or button', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/sessions`);
    const { page } = opened;
    const attach = page.getByRole('button', { name: 'Attach an agent' });
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => page.getByRole('button', { name: 'Cancel' }).click(),
    ]) {
      await attach.click();
      await page.getByRole('dialog').waitFor();
      await leave();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    expect(hub.hub.sessions.list()).toHaveLength(1);
  });
});
