// Every view, with a real hub and changes that really happen.
import { gzipSync } from 'node:zlib';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type LiveServer, liveServer } from '@tidings/live';
import { parseConfig } from '@tidings/track';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NotesUpstream } from '../hub/notes-upstream.ts';
import { type RunningHub, runningHub } from '../hub/running-hub.ts';
import { describeWith } from '../support/needs.ts';
import { builtPages, chromiumNeed, launch, openPage } from './open-page.ts';

describe('the built page', () => {
  it('is under 200 kB gzipped, all of it', () => {
    const files = readdirSync(builtPages, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const sizes = files.map(({ parentPath, name }) => gzipSync(readFileSync(join(parentPath, name))).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000);
  });

  it('has no script in its markup, as its policy demands', () => {
    expect(readFileSync(join(builtPages, 'index.html'), 'utf8')).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=/);
  });
});

describeWith(chromiumNeed, 'the dashboard', () => {
  let browser: Browser;
  let hub: RunningHub;
  let notes: NotesUpstream;

  beforeAll(async () => {
    browser = await launch();
    notes = await NotesUpstream.start('modern');
    notes.put('a', 'first\nsecond');
    notes.put('b', 'other');
    notes.put('told', 'before');
    const away = { id: 'away', url: 'http://127.0.0.1:1/mcp', headers: {}, enabled: true, trackResources: true };
    const built = { id: 'gallery', builtin: 'gallery', enabled: true, trackResources: true };
    hub = await runningHub({
      servers: [notes.entry('notes'), away, built],
      builtins: { gallery: async () => gallery() },
      pages: builtPages,
    });
    await hub.isLive('notes', 'gallery');
  });

  afterAll(async () => {
    await browser.close();
    await hub[Symbol.asyncDispose]();
    await notes[Symbol.asyncDispose]();
  });

  it('begins with steps that keep what is there: a server is added beside those built in', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/start`);
    const { page } = opened;
    const step = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'Add a server of your own' }) });
    const [config = '', command] = await step.locator('pre').allInnerTexts();
    const { servers } = parseConfig(config, { file: 'mcp-servers.json', env: {} });
    expect(servers.map(({ id }) => id)).toEqual(['vcon', 'schedules', 'obs', 'notes']);
    // One that is only found asks for confirmation first.
    expect(command).toBe('tidings up --config config/mcp-servers.json');
  });

  it('shows servers: how they are, why, when they are tried again; tracking is switched', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/servers`);
    const { page } = opened;
    const card = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
    await card('notes').getByText('Live', { exact: true }).waitFor();
    await card('notes').getByText('3 of 3').waitFor();
    await card('away').getByText('Away', { exact: true }).waitFor();
    await card('away')
      .getByText(/Next try (in \d+ s|now)/)
      .waitFor();
    const track = page.getByRole('switch', { name: 'Track notes' });
    await track.click();
    await page.getByText('Not tracked').waitFor();
    expect(hub.status('notes')?.tracked).toBe(false);
    await track.click();
    await hub.isLive('notes');
    expect(hub.status('notes')?.tracked).toBe(true);
  });

  it('shows resources: found, read, marked and compared as they change', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/resources`);
    const { page } = opened;
    await page.getByRole('searchbox').fill('note a');
    await page.getByRole('treeitem', { name: 'note://a' }).click();
    const content = page.getByRole('region', { name: 'Content', exact: true });
    await content.getByText('second').waitFor();
    await page.getByRole('button', { name: 'What changed' }).click();
    await content.getByText('It has not changed').waitFor();
    notes.put('a', 'first\nthird');
    await content.locator('.removed', { hasText: 'second' }).waitFor();
    await content.locator('.added', { hasText: 'third' }).waitFor();
    await page.locator('.row.fresh', { hasText: 'note://a' }).waitFor();
  });

  it('copies a URI, a curl command and an MCP snippet', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/resources?server=notes&uri=note%3A%2F%2Fb`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const { page } = opened;
    const copied = async (name: string) => {
      await page.getByRole('button', { name }).click();
      await page.getByText('Copied').waitFor();
      const text = await page.evaluate('navigator.clipboard.readText()');
      await page.getByText('Copied').waitFor({ state: 'detached' });
      return String(text);
    };
    expect(await copied('Copy URI')).toBe('note://b');
    const curled = async () => {
      const [, address = ''] = /^curl '([^']*)'$/.exec(await copied('Copy curl')) ?? [];
      return (await fetch(address)).text();
    };
    expect(await curled()).toBe('other');
    expect(await copied('Copy MCP')).toContain('"resources/subscribe","params":{"uri":"note://b"}');
    await page.getByRole('treeitem', { name: "gallery://it's" }).click();
    await page.getByText('quoted', { exact: true }).waitFor();
    expect(await curled()).toBe('quoted');
  });

  it('shows the timeline: filtered, paused and caught up with, nothing missing', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/timeline`);
    const { page } = opened;
    await page.getByRole('searchbox', { name: 'URI' }).fill('note://paused');
    await page.getByRole('combobox', { name: 'Type' }).selectOption('Updated');
    for (let index = 0; index < 5; index += 1) notes.put(`paused-${index}`, 'new');
    await hub.isLive('notes');
    await page.getByRole('button', { name: 'Pause' }).click();
    const before = await page.getByRole('listitem').count();
    for (let index = 0; index < 5; index += 1) notes.put(`paused-${index}`, 'changed');
    await page.getByRole('button', { name: /Catch up with ([5-9]|\d\d)/ }).waitFor();
    expect(await page.getByRole('listitem').count()).toBe(before);
    await page.getByRole('button', { name: /Catch up/ }).click();
    for (let index = 0; index < 5; index += 1) await page.getByText(`note://paused-${index}`).first().waitFor();
    await page.getByRole('combobox', { name: 'Server' }).selectOption('away');
    await page.getByText('No event matches').waitFor();
    await page.getByRole('img', { name: /Updates per second, last minute/ }).waitFor();
  });

  it('shows the timeline with the day, where it is not today', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/timeline`, { clock: true });
    const { page } = opened;
    const time = page.locator('.event time').first();
    await expect.poll(() => time.innerText()).toMatch(/^\d\d:\d\d:\d\d\.\d{3}$/);
    await page.clock.setSystemTime(Date.now() + 2 * 86_400_000);
    await page.getByRole('link', { name: 'Servers' }).click();
    await page.getByRole('link', { name: 'Timeline' }).click();
    await expect.poll(() => time.innerText()).toMatch(/^[A-Z][a-z]{2} \d+, \d\d:\d\d:\d\d\.\d{3}$/);
  });

  it('shows sessions: the built-in transcript first, and what it is told, at once', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/sessions`);
    const { page } = opened;
    await page.getByRole('link', { name: /Built-in transcript.*attached/ }).waitFor();
    notes.put('told', 'now');
    await page
      .getByText(/^Resource note:\/\/told updated for MCP server notes at \d{4}-/)
      .first()
      .waitFor();
  });

  it('shows pictures as pictures, and JSON to be folded', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/resources`);
    const { page } = opened;
    await page.getByRole('treeitem', { name: 'gallery://dot' }).click();
    await page.getByRole('img', { name: 'dot' }).waitFor();
    expect(await page.evaluate('document.images[1].decode().then(() => document.images[1].naturalWidth)')).toBe(1);
    await page.getByRole('treeitem', { name: 'gallery://facts' }).click();
    await page.getByText('"deep inside"').waitFor();
    await page.getByRole('button', { name: /outer/ }).click();
    await page.getByText('"deep inside"').waitFor({ state: 'detached' });
    await page.getByRole('treeitem', { name: 'gallery://number' }).click();
    await page.getByText('12345678901234567890').waitFor();
  });
});

/** A picture of one dot, a quote, a number that a page cannot hold, and something with depth. */
function gallery(): LiveServer {
  const server = liveServer({ name: 'gallery', version: '1.0.0' });
  const dot = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
  server.resource('gallery://dot', { name: 'dot', mimeType: 'image/gif', read: () => dot });
  server.resource("gallery://it's", { read: () => 'quoted' });
  server.resource('gallery://number', { mimeType: 'application/json', read: () => '{"id":12345678901234567890}' });
  server.resource('gallery://facts', { read: () => ({ outer: { inner: 'deep inside', sum: 0.1 + 0.2 } }) });
  return server;
}
