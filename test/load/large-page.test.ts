// The dashboard with ten thousand resources, while they change.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { builtPages, chromiumNeed, launch, openPage } from '../dashboard/open-page.ts';
import { NotesUpstream } from '../hub/notes-upstream.ts';
import { runningHub } from '../hub/running-hub.ts';
import { describeWith } from '../support/run/needs.ts';

const manyResources = 10_000;
const manyUpdates = 400;

describeWith(chromiumNeed, 'the dashboard', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launch();
  });

  afterAll(() => browser.close());

  it('follows ten thousand resources with a hundred updates a second, and renders only a few of them', async () => {
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

/** Makes a hundred changes a second, by the clock. */
async function steadily(count: number, change: (index: number) => void): Promise<void> {
  const start = performance.now();
  for (let index = 0; index < count; index += 1) {
    change(index);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, start + index * 10 - performance.now())));
  }
}

/** Heap size in bytes after garbage collection. */
async function heapOf(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  await devtools.detach();
  return usedSize;
}

/** A summary of frame times. Not asserted, since they depend on other load of the machine. */
function wordsFor(frames: readonly number[]): string {
  const gaps = frames.slice(1).map((at, index) => at - (frames[index] ?? at));
  gaps.sort((a, b) => a - b);
  const at = (share: number) => Math.round(gaps[Math.floor((gaps.length - 1) * share)] ?? 0);
  return `${frames.length}, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`;
}
