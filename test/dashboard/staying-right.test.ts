// The page stays right: a hub that is killed, ten thousand resources, changes by other clients.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestClient, connectHttp } from '@tidings/live/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { TidingsProcess } from '../cli/tidings-process.ts';
import { NotesUpstream } from '../hub/notes-upstream.ts';
import { runningHub } from '../hub/running-hub.ts';
import { describeWith } from '../support/needs.ts';
import { builtPages, chromiumNeed, launch, openPage } from './open-page.ts';

const manyResources = 10_000;
const manyUpdates = 400;

interface Up {
  url: string;
  port: string;
  hub: TidingsProcess;
}

async function up(data: string, port = '0'): Promise<Up> {
  const hub = new TidingsProcess(['up', '--port', port, '--data', data, '--json']);
  const { url }: { url: string } = JSON.parse(await hub.line());
  return { hub, url, port: new URL(url).port };
}

async function folder(): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), 'tidings-dashboard-'));
  onTestFinished(() => rm(data, { recursive: true, force: true, maxRetries: 5 }));
  return data;
}

async function createVcon(client: TestClient, subject: string): Promise<string> {
  const uuid = crypto.randomUUID();
  await client.call('vcon_create_vcon', { uuid, subject, parties: [{ name: 'Ada' }] });
  return uuid;
}

describeWith(chromiumNeed, 'the dashboard stays right', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launch();
  });

  afterAll(() => browser.close());

  it('when another client creates a vCon or pauses a schedule', async () => {
    const { url } = await up(await folder());
    const client = await connectHttp(`${url}/mcp`, 'modern');
    await using opened = await openPage(browser, `${url}/`);
    const { page } = opened;
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    // Where notifications are really sent there are no sample schedules, and the page says so.
    await page.getByText('Sample schedules come only with').waitFor();
    await page.getByRole('button', { name: 'Load sample data' }).click();
    await page.getByRole('button', { name: /^Loaded \d+ conversations$/ }).waitFor();

    const uuid = await createVcon(client, 'Created over MCP');
    await page.getByRole('link', { name: 'Resources', exact: true }).click();
    await page.getByRole('treeitem', { name: uuid }).waitFor();
    await page.getByRole('link', { name: 'Timeline', exact: true }).click();
    await page.getByText('vcon://v1/vcons/recent').first().waitFor();
    await page.getByRole('link', { name: 'Sessions' }).click();
    await page
      .getByText(/^Resource vcon:\/\/v1\/vcons\/recent updated for MCP server vcon/)
      .first()
      .waitFor();

    await client.call('schedules_schedule_cron_notification', {
      message: 'Happy new year',
      notification_topic: 'support',
      cron: '0 0 1 1 *',
      timezone: 'UTC',
    });
    await page.getByRole('link', { name: 'Resources', exact: true }).click();
    await page.getByRole('treeitem', { name: 'schedules://support' }).click();
    await page.getByText('"active"').waitFor();
    const { schedules }: { schedules: { schedule_id: string }[] } = JSON.parse(
      await client.read('schedules://support'),
    );
    await client.call('schedules_pause_schedule', { schedule_id: schedules[0]?.schedule_id });
    await page.getByText('"paused"').waitFor();
    await page.getByRole('button', { name: 'What changed' }).click();
    await page.locator('.added', { hasText: '"paused"' }).waitFor();
    await client.close();
  });

  it('when the hub is killed and started again', async () => {
    const data = await folder();
    const first = await up(data);
    await using opened = await openPage(browser, `${first.url}/#/timeline`, { mayBeAway: true });
    const { page } = opened;
    const before = await connectHttp(`${first.url}/mcp`, 'modern');
    const early = await createVcon(before, 'Before');
    await page.getByText(early).first().waitFor();
    await before.close();
    await first.hub.end('SIGKILL');
    await page.getByRole('status').filter({ hasText: 'Reconnecting' }).waitFor();

    const second = await up(data, first.port);
    const after = await connectHttp(`${second.url}/mcp`, 'modern');
    const late = await createVcon(after, 'After');
    await page.getByRole('status').filter({ hasText: 'Reconnected' }).waitFor();
    // Both, whether the page was back before or after it happened.
    await page.getByText(late).first().waitFor();
    await page.getByText(early).first().waitFor();
    await page.getByRole('link', { name: 'Resources', exact: true }).click();
    await page.getByRole('treeitem', { name: late }).waitFor();
    await page.getByRole('link', { name: 'Sessions' }).click();
    await page
      .getByText(/vcons\/recent updated for MCP server vcon/)
      .first()
      .waitFor();
    await after.close();
  });

  it('with ten thousand resources and a hundred updates a second, few of them in the page', async () => {
    await using notes = await NotesUpstream.start('modern');
    for (let index = 0; index < manyResources; index += 1) notes.notes.set(`group${index % 7}/${index}`, 'first');
    await using hub = await runningHub({ servers: [notes.entry('notes')], pages: builtPages });
    await hub.isLive('notes');
    await using opened = await openPage(browser, `${hub.url}/#/resources`);
    const { page } = opened;
    await page.getByText(`${manyResources} listed`).waitFor();
    const tree = page.getByRole('tree');
    await tree.focus();
    for (const key of ['End', 'ArrowRight', 'End']) await page.keyboard.press(key);
    expect(await page.getByRole('treeitem').count()).toBeLessThan(80);
    await page.evaluate(`void (globalThis.frames = []);
      requestAnimationFrame(function next(at) { frames.push(at); requestAnimationFrame(next); });`);
    const before = await heapOf(page);

    const change = (index: number) => notes.put(`group${index % 7}/${index}`, 'second');
    await steadily(manyUpdates / 2, change);
    expect(await page.locator('*').count()).toBeLessThan(1500);
    await page.getByRole('link', { name: 'Timeline', exact: true }).click();
    await page.getByRole('combobox', { name: 'Type' }).selectOption('Updated');
    await steadily(manyUpdates / 2, (index) => change(index + manyUpdates / 2));
    await page.getByText(`${manyUpdates} events`, { exact: true }).waitFor();
    expect(await page.getByRole('listitem').count()).toBeLessThan(80);
    expect(await page.locator('*').count()).toBeLessThan(1500);
    expect((await heapOf(page)) - before).toBeLessThan(30 * 1024 * 1024);
    console.log(`Frames: ${wordsFor(z.array(z.number()).parse(await page.evaluate('frames')))}`);

    const last = `group${(manyUpdates - 1) % 7}/${manyUpdates - 1}`;
    await page.getByRole('link', { name: `note://${encodeURIComponent(last)}` }).click();
    await page.getByText('second', { exact: true }).waitFor();
  }, 120_000);
});

/** A hundred times a second, by the clock. */
async function steadily(count: number, change: (index: number) => void): Promise<void> {
  const start = performance.now();
  for (let index = 0; index < count; index += 1) {
    change(index);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, start + index * 10 - performance.now())));
  }
}

/** In bytes, without what is only waiting to be collected. */
async function heapOf(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  await devtools.detach();
  return usedSize;
}

/** How smooth it was; a shared machine says little, so nothing is asserted. */
function wordsFor(frames: readonly number[]): string {
  const gaps = frames.slice(1).map((at, index) => at - (frames[index] ?? at));
  gaps.sort((a, b) => a - b);
  const at = (share: number) => Math.round(gaps[Math.floor((gaps.length - 1) * share)] ?? 0);
  return `${frames.length}, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`;
}
