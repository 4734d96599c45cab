// Every view, with a real hub and real changes.
import { gzipSync } from 'node:zlib';
import { readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@tidings/live/testing';
import { parseConfig } from '@tidings/track';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NotesUpstream } from '../hub/notes-upstream.ts';
import { type RunningHub, runningHub } from '../hub/running-hub.ts';
import { describeWith } from '../support/run/needs.ts';
import { eventsSchema } from '../support/wire/strict-answers.ts';
import { gallery } from './gallery-server.ts';
import { expectAccessible } from './accessible.ts';
import { builtPages, chromiumNeed, openPage, sharedBrowser } from './open-page.ts';

/** How long the page says that something was copied, with a margin. */
const shownMs = 5000;

describe('the built page', () => {
  it('is under 200 kB gzipped in total', () => {
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
  let folder: string;
  const pictures = gallery();

  beforeAll(async () => {
    browser = await sharedBrowser();
    notes = await NotesUpstream.start('modern');
    notes.put('a', 'first\nsecond');
    notes.put('b', 'other');
    notes.put('told', 'before');
    const away = { id: 'away', url: 'http://127.0.0.1:1/mcp', headers: {}, enabled: true, trackResources: true };
    const built = { id: 'gallery', builtin: 'gallery', enabled: true, trackResources: true };
    folder = await mkdtemp(join(tmpdir(), 'tidings-views-'));
    const servers = [notes.entry('notes'), away, built];
    await writeFile(join(folder, 'servers.json'), JSON.stringify({ servers }, undefined, 2));
    hub = await runningHub({
      servers,
      configFile: join(folder, 'servers.json'),
      builtins: { gallery: async () => pictures.server },
      pages: builtPages,
    });
    await hub.isLive('notes', 'gallery');
  });

  afterAll(async () => {
    await hub[Symbol.asyncDispose]();
    await notes[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  it('starts with changing resources by title, and steps for the servers of the hub', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/start`);
    const { page } = opened;
    pictures.setFacts({ outer: { inner: 'deep inside', sum: 0.1 + 0.2 }, start: 'for the start page' });
    const changing = page.getByRole('region', { name: 'What is changing' });
    await changing.getByRole('link', { name: 'Facts about it' }).click();
    await page.getByText('for the start page').waitFor();
    await page.goto(`${hub.url}/#/start`);
    const step = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'Add a server of your own' }) });
    await step.getByText(join(folder, 'servers.json')).waitFor();
    const config = `{ "mcpServers": { ${await step.locator('pre').innerText()} } }`;
    expect(parseConfig(config, { file: 'servers.json', env: {} }).servers).toMatchObject([{ id: 'notes' }]);
    // This hub has no OBS.
    expect(await page.getByRole('heading', { name: 'Connect OBS' }).count()).toBe(0);
  });

  it('shows the state of each server with its reason and next attempt, and switches tracking', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/servers`);
    const { page } = opened;
    const card = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
    await page.getByText('2 of 3 live', { exact: true }).waitFor();
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
    await eventually('it to be tracked again', () => hub.status('notes')?.tracked === true);
    await hub.isLive('notes');
  });

  it('shows resources: searched, read, marked and compared as they change', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/resources`);
    const { page } = opened;
    await page.getByRole('searchbox').fill('note a');
    await page.getByRole('treeitem', { name: 'note://a' }).click();
    const content = page.getByRole('region', { name: 'Content', exact: true });
    await content.getByText('second').waitFor();
    await page.getByRole('button', { name: 'What changed' }).click();
    await content.getByText('No change since the first read').waitFor();
    notes.put('a', 'first\nthird');
    await content.locator('.removed', { hasText: 'second' }).waitFor();
    await content.locator('.added', { hasText: 'third' }).waitFor();
    await page.locator('.row.fresh', { hasText: 'note://a' }).waitFor();
  });

  it('keeps the search, the resource and its tab in the address', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/resources`);
    const { page } = opened;
    await page.getByRole('searchbox').fill('note a');
    await page.getByRole('treeitem', { name: 'note://a' }).click();
    await page.getByRole('button', { name: 'What changed' }).click();
    await page.waitForURL(/q=note\+a.*tab=changes|tab=changes.*q=note\+a/);
    await page.reload();
    await page.getByRole('button', { name: 'What changed', pressed: true }).waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('note a');
    await page.getByText('1 found').waitFor();
    await page.getByRole('treeitem', { name: 'note://a' }).waitFor();
  });

  it('shows versions from before the page was opened, and compares any two', async () => {
    notes.put('versions', 'one');
    await hub.isLive('notes');
    const kept = async () => Object(await hub.json('/api/versions?uri=note%3A%2F%2Fversions')).versions?.length;
    for (const [index, text] of ['one', 'two', 'three'].entries()) {
      notes.put('versions', text);
      await eventually(`version ${index + 1}`, async () => (await kept()) === index + 1);
    }
    await using opened = await openPage(browser, `${hub.url}/#/resources?server=notes&uri=note%3A%2F%2Fversions`);
    const { page } = opened;
    await page.getByRole('button', { name: 'What changed' }).click();
    const content = page.getByRole('region', { name: 'Content', exact: true });
    await content.locator('.removed', { hasText: 'two' }).waitFor();
    await content.locator('.added', { hasText: 'three' }).waitFor();
    await page.getByRole('combobox', { name: 'Before' }).selectOption('1');
    await content.locator('.removed', { hasText: 'one' }).waitFor();
  });

  it('shows the newest versions, also if an earlier list of them arrives later', async () => {
    const kept = async () => Object(await hub.json('/api/versions?uri=note%3A%2F%2Fslow')).versions?.length;
    notes.put('slow', 'one');
    await hub.isLive('notes');
    for (const [index, text] of ['one', 'two'].entries()) {
      notes.put('slow', text);
      await eventually(`version ${index + 1}`, async () => (await kept()) === index + 1);
    }
    await using opened = await openPage(browser, `${hub.url}/#/resources?server=notes&uri=note%3A%2F%2Fslow`);
    const { page } = opened;
    const lists = /\/api\/versions\?(?!.*version=)/;
    let isFirst = true;
    let release: (() => Promise<void>) | undefined;
    await page.route(lists, async (route) => {
      if (!isFirst) return route.fallback();
      isFirst = false;
      const response = await route.fetch();
      release = () => route.fulfill({ response });
    });
    await page.getByRole('button', { name: 'What changed' }).click();
    await eventually('the first list to be held back', () => release !== undefined);
    notes.put('slow', 'three');
    const after = page.getByRole('combobox', { name: 'After' });
    await eventually('the third version', async () => (await after.inputValue()) === '3');
    await release?.();
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    expect(await after.inputValue()).toBe('3');
    await page.unroute(lists);
    notes.remove('slow');
  });

  it('opens an unlisted resource that a template covers', async () => {
    notes.put('hidden', 'behind a template');
    notes.unlisted.add('hidden');
    await using opened = await openPage(browser, `${hub.url}/#/servers?id=notes`);
    const { page } = opened;
    await page.locator('summary', { hasText: 'note://{name}' }).click();
    await page.getByRole('textbox', { name: 'name' }).fill('hidden');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('behind a template').waitFor();
    notes.unlisted.delete('hidden');
  });

  it('shows a server: tools and prompts to call, changes, restart and log', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/servers`);
    const { page } = opened;
    await page.getByRole('link', { name: 'notes', exact: true }).click();
    const tool = page.locator('details', { hasText: 'put_note' });
    await tool.locator('summary').click();
    await tool.getByRole('textbox', { name: 'name' }).fill('called');
    await tool.getByRole('textbox', { name: 'text' }).fill('from the page');
    await tool.getByRole('button', { name: 'Call' }).click();
    await tool.getByRole('region', { name: 'Result' }).getByText('"called"').waitFor();
    expect(notes.notes.get('called')).toBe('from the page');
    await tool.getByRole('button', { name: 'Call' }).click();
    await tool.getByRole('link', { name: 'note://called' }).waitFor();
    const prompt = page.locator('details', { hasText: 'about_note' });
    await prompt.locator('summary').click();
    await prompt.getByRole('textbox', { name: 'name' }).fill('a');
    await prompt.getByRole('button', { name: 'Get' }).click();
    await prompt.getByText('Tell me about a.').waitFor();
    const before = hub.status('notes')?.connects ?? 0;
    await page.getByRole('button', { name: 'Restart' }).click();
    await eventually('a new connection', () => (hub.status('notes')?.connects ?? 0) > before);
    await hub.isLive('notes');
  });

  it('shows the progress of a call, and cancels it', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/servers?id=notes`);
    const { page } = opened;
    const tool = page.locator('details', { hasText: 'slow_note' });
    await tool.locator('summary').click();
    const before = notes.cancelled;
    await tool.getByRole('button', { name: 'Call' }).click();
    await tool.getByText('1 of 2').waitFor();
    await tool.getByRole('button', { name: 'Cancel' }).click();
    await tool.getByText('Cancelled.').waitFor();
    await eventually('the server is told', () => notes.cancelled === before + 1);
  });

  it('copies a URI, a curl command and an MCP snippet', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/resources?server=notes&uri=note%3A%2F%2Fb`, {
      permissions: ['clipboard-read', 'clipboard-write'],
      clock: true,
    });
    const { page } = opened;
    const copied = async (name: string) => {
      await page.getByRole('button', { name }).filter({ visible: true }).click();
      await page.getByText('Copied').waitFor();
      const text = await page.evaluate('navigator.clipboard.readText()');
      await page.clock.fastForward(shownMs);
      await page.getByText('Copied').waitFor({ state: 'detached' });
      return String(text);
    };
    expect(await copied('Copy URI')).toBe('note://b');
    const curled = async () => {
      const [, address = ''] = /^curl '([^']*)'$/.exec(await copied('Copy curl')) ?? [];
      return (await fetch(address)).text();
    };
    expect(await curled()).toBe('other');
    await page.goto(`${hub.url}/#/servers?id=notes`);
    const tool = page.locator('details', { hasText: 'put_note' });
    await tool.locator('summary').click();
    await tool.getByRole('textbox', { name: 'name' }).fill('copied');
    await tool.getByRole('textbox', { name: 'text' }).fill("it's here");
    expect(await copied('Copy as command')).toBe(
      `tidings call notes put_note '{"name":"copied","text":"it'\\''s here"}' --hub ${hub.url}`,
    );
    await page.goto(`${hub.url}/#/resources?server=notes&uri=note%3A%2F%2Fb`);
    expect(await copied('Copy MCP')).toContain('"resources/subscribe","params":{"uri":"note://b"}');
    await page.getByRole('treeitem', { name: "gallery://it's" }).click();
    await page.getByText('quoted', { exact: true }).waitFor();
    expect(await curled()).toBe('quoted');
  });

  it('shows the timeline: filtered, paused and resumed without missing events', async () => {
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
    await page.getByText('matches the filter').waitFor();
    await page.getByRole('combobox', { name: 'Server' }).selectOption('notes');
    const address = await page.getByRole('link', { name: 'As JSON' }).getAttribute('href');
    const { events } = eventsSchema.parse(await hub.json(String(address)));
    expect(events).toContainEqual(expect.objectContaining({ resourceUri: 'note://paused-0' }));
    expect(events).not.toContainEqual(expect.objectContaining({ resourceUri: 'note://a' }));
    await page.getByRole('img', { name: /Updates per second, last minute/ }).waitFor();
  });

  it('shows the timeline around a time in the address', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/timeline`);
    const { page } = opened;
    await page.getByText('Time', { exact: true }).click();
    await page.getByLabel('From').fill('2020-01-01T00:00:00');
    await page.locator('.event').first().waitFor();
    await expectAccessible(page, 'the time of the timeline');
    await page.getByLabel('From').fill('2099-01-01T00:00:00');
    await page.getByText('matches the filter').waitFor();
    expect(page.url()).toContain('from=20');
    await page.goto(`${hub.url}/#/timeline?until=2020-01-01T12%3A00%3A00.000Z`);
    await expect.poll(() => page.getByLabel('Until').inputValue()).toMatch(/^2020-01-0\dT/);
    await page.getByText('matches the filter').waitFor();
  });

  it('shows the date of events before today', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/timeline`, { clock: true });
    const { page } = opened;
    const time = page.locator('.event time').first();
    await expect.poll(() => time.innerText()).toMatch(/^\d\d:\d\d:\d\d\.\d{3}$/);
    await page.clock.setSystemTime(Date.now() + 2 * 86_400_000);
    await page.getByRole('link', { name: 'Servers' }).click();
    await page.getByRole('link', { name: 'Timeline' }).click();
    await expect.poll(() => time.innerText()).toMatch(/^[A-Z][a-z]{2} \d+, \d\d:\d\d:\d\d\.\d{3}$/);
  });

  it('shows sessions: the built-in transcript first, with new lines at once', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/sessions`);
    const { page } = opened;
    await page.getByRole('link', { name: /Built-in transcript.*attached/ }).waitFor();
    notes.put('told', 'now');
    await page
      .getByText(/^Resource note:\/\/told updated for MCP server notes at \d{4}-/)
      .first()
      .waitFor();
  });

  it('shows images, and JSON as a tree', async () => {
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

  it('shows Markdown by its title, without running or loading any part of it', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/resources`);
    const { page } = opened;
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await page.getByRole('treeitem', { name: 'About it gallery://readme' }).click();
    const content = page.getByRole('region', { name: 'Content itself' });
    await content.getByRole('heading', { name: 'A heading' }).waitFor();
    expect(
      await content.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
    ).toEqual(['https://example.com/', 'https://example.com/picture.png']);
    expect(await content.getByText('a trap').evaluate((trap) => trap.tagName)).toBe('SPAN');
    await content.getByText("document.title = 'run'").waitFor();
    await content.getByRole('cell', { name: '2' }).waitFor();
    expect(await page.title()).toBe('Resources · Tidings');
    expect(requested.filter((url) => !url.startsWith(hub.url))).toEqual([]);
  });

  it('shows changes in JSON by path', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/resources?server=gallery&uri=gallery%3A%2F%2Ffacts`);
    const { page } = opened;
    await page.getByText('"deep inside"').waitFor();
    await page.getByRole('button', { name: 'What changed' }).click();
    pictures.setFacts({ outer: { inner: 'deeper', sum: 1 }, rows: [1] });
    const changed = page.getByRole('region', { name: 'What changed' });
    await changed.getByText('outer.inner').waitFor();
    await changed.locator('.removed', { hasText: '"deep inside"' }).waitFor();
    await changed.locator('.added', { hasText: '"deeper"' }).waitFor();
    await changed.getByText('rows').waitFor();
    pictures.setFacts({ outer: { inner: 'deep inside', sum: 0.1 + 0.2 } });
  });

  it('opens any URI, with suggestions from the server', async () => {
    notes.put('secluded', 'found by its URI');
    notes.unlisted.add('secluded');
    await using opened = await openPage(browser, `${hub.url}/#/resources`);
    const { page } = opened;
    const field = page.getByRole('combobox', { name: 'Open a URI' });
    await field.fill('note://seclu');
    await page.locator('datalist option[value="note://secluded"]').waitFor({ state: 'attached' });
    await field.fill('note://secluded');
    await field.press('Enter');
    await page.getByText('found by its URI').waitFor();
    notes.unlisted.delete('secluded');
  });

  it('shows the connected clients with their subscriptions and reads', async () => {
    const client = await hub.connect('legacy', '/mcp/notes');
    await client.subscribe('note://a');
    await client.read('note://b');
    await using opened = await openPage(browser, `${hub.url}/#/clients`);
    const { page } = opened;
    await page.getByRole('link', { name: /test-client 1\.0\.0.*connected/ }).click();
    const panel = page.getByRole('region', { name: 'Client' });
    await panel.getByText('/mcp/notes').waitFor();
    await panel.getByRole('link', { name: 'note://a' }).first().waitFor();
    notes.put('b', 'changed for the client');
    await panel.getByText('changed since').first().waitFor();
    await client.close();
  });

  it('adds a server to the configuration file, disables and removes it', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/servers`);
    const { page } = opened;
    page.on('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Add a server' }).click();
    await page.getByRole('textbox', { name: 'Id' }).fill('more');
    await page.getByRole('textbox', { name: 'Address' }).fill(notes.entry('more').url);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'more' }).waitFor();
    await hub.isLive('more');
    const inFile = async () => Object(JSON.parse(await readFile(join(folder, 'servers.json'), 'utf8'))).servers.at(-1);
    expect(await inFile()).toMatchObject({ id: 'more', trackResources: true });
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Disabled', { exact: true }).waitFor();
    expect(await inFile()).toMatchObject({ id: 'more', enabled: false });
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('heading', { level: 1, name: 'Servers' }).waitFor();
    await page.getByRole('link', { name: 'more', exact: true }).waitFor({ state: 'detached' });
    expect(await inFile()).toMatchObject({ id: 'gallery' });
  });
});
