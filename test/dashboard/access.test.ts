// Accessibility: by keyboard, with a screen reader, in dark mode, on a phone.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestClient } from '@tidings/live/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { NotesUpstream } from '../hub/notes-upstream.ts';
import { type RunningHub, runningHub } from '../hub/running-hub.ts';
import { describeWith } from '../support/run/needs.ts';
import { gallery } from './gallery-server.ts';
import { expectAccessible, phone } from './accessible.ts';
import { builtPages, chromiumNeed, launch, openPage } from './open-page.ts';

const views = ['start', 'servers', 'resources', 'timeline', 'schedules', 'clients', 'sessions'];

describeWith(chromiumNeed, 'the dashboard is accessible', () => {
  let browser: Browser;
  let hub: RunningHub;
  let notes: NotesUpstream;
  let client: TestClient;
  let folder: string;

  beforeAll(async () => {
    browser = await launch();
    notes = await NotesUpstream.start('modern');
    for (const name of ['a', 'b', 'deep/er']) notes.put(name, 'first');
    folder = await mkdtemp(join(tmpdir(), 'tidings-access-'));
    const configFile = join(folder, 'servers.json');
    await writeFile(configFile, '{ "servers": [] }');
    const pictures = { id: 'gallery', builtin: 'gallery', enabled: true, trackResources: true };
    hub = await runningHub({
      servers: [notes.entry('notes'), pictures],
      builtins: { gallery: async () => gallery().server },
      configFile,
      pages: builtPages,
    });
    client = await hub.connect('legacy');
    await client.subscribe('note://a');
    await client.read('note://b');
    await hub.isLive('notes', 'gallery');
    notes.put('a', 'second');
  });

  afterAll(async () => {
    await browser.close();
    await client.close();
    await rm(folder, { recursive: true, force: true });
    await hub[Symbol.asyncDispose]();
    await notes[Symbol.asyncDispose]();
  });

  it.each([
    { how: 'light', options: { colorScheme: 'light' } },
    { how: 'dark', options: { colorScheme: 'dark' } },
    { how: 'on a phone', options: phone },
    { how: 'on a phone, dark', options: { ...phone, colorScheme: 'dark' } },
  ] as const)('has nothing axe objects to, $how', async ({ options }) => {
    await using opened = await openPage(browser, `${hub.url}/#/start`, { ...options, mayBeRefused: true });
    const { page } = opened;
    const isFine = (what: string) => expectAccessible(page, what);
    for (const view of views) {
      await page.goto(`${hub.url}/#/${view}${view === 'resources' ? '?server=notes&uri=note%3A%2F%2Fa' : ''}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      if (view === 'resources') await page.getByText('second', { exact: true }).waitFor();
      await isFine(view);
    }
    await page.getByRole('button', { name: 'Attach an agent' }).click();
    await page.getByRole('button', { name: 'Attach', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await isFine('the form, with a refusal');
    await page.goto(`${hub.url}/#/resources?server=notes&uri=note%3A%2F%2Fgone`);
    await page.getByRole('region', { name: 'Content', exact: true }).getByRole('alert').waitFor();
    await isFine('a resource that is gone');
    await page.goto(`${hub.url}/#/servers?id=notes`);
    await page.locator('summary', { hasText: 'put_note' }).click();
    await isFine('a server, with a form');
    await page.goto(`${hub.url}/#/servers`);
    await page.getByRole('button', { name: 'Add a server' }).click();
    await isFine('the form for a server');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.goto(`${hub.url}/#/resources?server=gallery&uri=gallery%3A%2F%2Freadme`);
    await page.getByRole('heading', { name: 'A heading' }).waitFor();
    await isFine('Markdown');
    await page.goto(`${hub.url}/#/timeline?uri=nothing`);
    await page.getByText('matches the filter').waitFor();
    await isFine('an empty timeline');
  });

  it.each(views)('reaches everything in %s by keyboard, with a visible focus', async (view) => {
    const query = view === 'resources' ? '?server=notes&uri=note%3A%2F%2Fa' : '';
    await using opened = await openPage(browser, `${hub.url}/#/${view}${query}`);
    const { page } = opened;
    if (view === 'resources') await page.getByText('second', { exact: true }).waitFor();
    if (view === 'sessions' || view === 'clients') await page.getByRole('listitem').first().waitFor();
    await page.evaluate(`document.body.dataset.wanted = [...document.querySelectorAll(
      'a[href], button:not([disabled]), input, select, [tabindex="0"]')].filter((each) => each.checkVisibility())
      .map((each, index) => (each.dataset.stop = index)).length`);
    const reached = new Set<string>();
    for (let presses = 0; presses < 80; presses += 1) {
      await page.keyboard.press('Tab');
      const [stop, outline] = z
        .tuple([z.string(), z.string()])
        .parse(
          await page.evaluate(
            `[document.activeElement.dataset.stop ?? '', getComputedStyle(document.activeElement).outlineStyle]`,
          ),
        );
      if (stop === '') continue;
      if (reached.has(stop)) break;
      expect(outline, `the stop ${stop}`).not.toBe('none');
      reached.add(stop);
    }
    expect(reached.size).toBe(Number(await page.evaluate('document.body.dataset.wanted')));
    expect(reached.size).toBeGreaterThan(6);
  });

  it('attaches and leaves the form, and pauses the timeline, by keyboard only', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/sessions`);
    const { page } = opened;
    const { keyboard } = page;
    await page.getByRole('button', { name: 'Attach an agent' }).focus();
    await keyboard.press('Enter');
    const form = page.getByRole('dialog');
    await form.waitFor();
    // The focus stays inside the dialog.
    for (let presses = 0; presses < 20; presses += 1) {
      await keyboard.press('Tab');
      expect(
        await page.evaluate(
          `document.activeElement === document.body || document.activeElement.closest('dialog') !== null`,
        ),
      ).toBe(true);
    }
    await keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Attach an agent');
    await page.goto(`${hub.url}/#/timeline`);
    await page.getByRole('button', { name: 'Pause' }).focus();
    await keyboard.press('Space');
    await page.getByRole('button', { name: 'Resume' }).waitFor();
  });

  it('is dark if the user prefers dark colours', async () => {
    const background = async (colorScheme: 'light' | 'dark') => {
      await using opened = await openPage(browser, hub.url, { colorScheme });
      return await opened.page.evaluate('getComputedStyle(document.body).backgroundColor');
    };
    expect(await background('dark')).not.toBe(await background('light'));
  });

  it('shows one pane at a time on a phone, with a button back', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/resources`, phone);
    const { page } = opened;
    await page.getByRole('treeitem', { name: 'note://a' }).tap();
    await page.getByText('second', { exact: true }).waitFor();
    expect(await page.getByRole('tree').isVisible()).toBe(false);
    await page.getByRole('link', { name: 'All resources' }).tap();
    await page.getByRole('tree').waitFor();
  });

  it('is operated by keyboard only', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/servers`);
    const { page } = opened;
    const { keyboard } = page;
    const focused = () => page.evaluate('document.activeElement.textContent || document.activeElement.ariaLabel');
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 30 && (await focused()) !== name; presses += 1) await keyboard.press('Tab');
      expect(await focused()).toBe(name);
    };
    await keyboard.press('Tab');
    expect(await focused()).toBe('Skip to content');
    await tabTo('Resources');
    await keyboard.press('Enter');
    await page.getByRole('tree').waitFor();
    await page.getByRole('searchbox').focus();
    await keyboard.press('Tab');
    for (const key of ['Home', 'ArrowDown', 'Enter']) await keyboard.press(key);
    await page.getByText('second', { exact: true }).waitFor();
    for (const key of ['ArrowLeft', 'ArrowLeft']) await keyboard.press(key);
    await page.locator('[role=treeitem][aria-expanded=false]', { hasText: 'notes' }).waitFor();
    await keyboard.press('ArrowRight');
    await page.getByRole('treeitem', { name: 'note://a' }).waitFor();
    await tabTo('What changed');
    await keyboard.press('Space');
    await page.getByRole('button', { name: 'What changed', pressed: true }).waitFor();
    // If the change came before the hub's first read, the hub has no earlier version to compare with.
    await page
      .getByRole('region', { name: 'What changed' })
      .getByText(/No change since|second/)
      .first()
      .waitFor();
  });
});
