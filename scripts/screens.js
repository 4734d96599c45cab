// `npm run screens`: takes the screenshots of the documentation from a running hub with its demo. Needs Chromium.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { changePicture } from './screens/change-picture.js';
import { recordedChange } from './screens/recorded-change.js';

const images = 'docs/images';
const themes = /** @type {const} */ (['light', 'dark']);
const recent = 'vcon://v1/vcons/recent';
/** Each picture: its name, its address on the page, the text to wait for, what to click then, and what to wait for last. */
const views = [
  {
    name: 'dashboard',
    hash: `#/resources?server=vcon&uri=${encodeURIComponent(recent)}`,
    shows: 'created_at',
    click: 'What changed',
    awaited: '.json-changes .added',
  },
  { name: 'server', hash: '#/servers?id=schedules', shows: 'schedule_cron_notification' },
  // The latency is known only for updates that arrive while the page is open.
  { name: 'timeline', hash: '#/timeline', shows: 'vcon://', awaited: 'text=/max [0-9.]+ ms/' },
];

const folder = mkdtempSync(join(tmpdir(), 'tidings-screens-'));
const hub = spawn(process.execPath, ['packages/hub/bin/tidings.js', 'up', '--demo', '--port', '0', '--json'], {
  env: { ...process.env, TIDINGS_DATA: folder },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const [line] = await once(createInterface(hub.stdout), 'line');
  const { url } = JSON.parse(line);
  const change = await recordedChange(url);
  for (const theme of themes) writeFileSync(`${images}/change-${theme}.svg`, changePicture(change, theme));
  await photograph(url);
} finally {
  const ended = once(hub, 'close');
  hub.kill();
  await ended;
  rmSync(folder, { recursive: true, force: true });
}

/** @param {string} url */
async function photograph(url) {
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args });
  try {
    for (const colorScheme of themes) {
      const context = await browser.newContext({ colorScheme, viewport: { width: 1280, height: 760 } });
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      for (const { name, hash, shows, click, awaited } of views) {
        await page.goto('about:blank');
        await page.goto(`${url}/${hash}`);
        await page.getByText(shows).first().waitFor();
        if (click !== undefined) await page.getByText(click).first().click();
        // The demo makes a change every three seconds; the picture shows it.
        if (awaited !== undefined) await page.locator(awaited).first().waitFor();
        const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
        writeFileSync(`${images}/${name}-${colorScheme}.webp`, Buffer.from(data, 'base64'));
        console.log(`${images}/${name}-${colorScheme}.webp`);
      }
      await context.close();
    }
  } finally {
    await browser.close();
  }
}
