// The dashboard in a real browser. Any error or warning of the page fails the test.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, type Page, chromium } from 'playwright-core';
import { expect } from 'vitest';
import { serviceNeed } from '../support/run/service-need.ts';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

export const chromiumNeed = serviceNeed({
  what: 'Chromium',
  isThere: executablePath !== undefined,
  install: 'bash scripts/install-test-tools.sh',
});

export const builtPages = fileURLToPath(new URL('../../packages/dashboard/dist', import.meta.url));

/** Errors that browsers log for a hub that is unreachable or stopping, whatever the page does. */
const unreachable =
  /ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE|ERR_CONNECTION_RESET|ERR_NETWORK|ERR_INTERNET_DISCONNECTED|a status of 503/;

/** Browsers log every refusal, also one that the page explains. */
const refused = /the server responded with a status of 4\d\d/;

/** Where a page waits for the next test. There the browser requests a favicon, which does not exist. */
const waitingPlace = '/icon.svg';
const missingIcon = /^http:\/\/[^/]+\/favicon\.ico$/;

interface OpenPageOptions extends BrowserContextOptions {
  mayBeAway?: boolean;
  mayBeRefused?: boolean;
  /** Lets the test control the page's time. */
  clock?: boolean;
}

export interface OpenPage extends AsyncDisposable {
  page: Page;
}

/** A browser that the test closes. */
export async function launch(flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    // Chromium has no sandbox when run as root, as in a container.
    args: [...flags, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
}

let shared: Promise<Browser> | undefined;

/** Shared by all test files of a worker; it ends with the worker. */
export async function sharedBrowser(): Promise<Browser> {
  shared ??= launch();
  return shared;
}

/** Pages that earlier tests have left: opening a new one takes longer than most tests. */
const left = new WeakMap<Browser, Page>();

export async function openPage(
  browser: Browser,
  url: string,
  { mayBeAway = false, mayBeRefused = false, clock = false, ...options }: OpenPageOptions = {},
): Promise<OpenPage> {
  const isUsual = !mayBeAway && !clock && Object.keys(options).length === 0;
  const page = (isUsual && left.get(browser)) || (await newPage(browser, options));
  if (isUsual) left.delete(browser);
  if (clock) await page.clock.install();
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    if (mayBeAway && unreachable.test(message.text())) return;
    if (mayBeRefused && refused.test(message.text())) return;
    const { url: source } = message.location();
    if (!missingIcon.test(source)) complaints.push(`${message.text()} ${source}`);
  });
  await page.goto(url);
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  return {
    page,
    [Symbol.asyncDispose]: async () => {
      if (isUsual && (await isLeftClean(page))) left.set(browser, page);
      else await page.context().close();
      expect(complaints).toEqual([]);
    },
  };
}

async function newPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  return page;
}

/** Removes everything that a test may have left in the page; returns false if that fails. */
async function isLeftClean(page: Page): Promise<boolean> {
  for (const event of ['console', 'dialog', 'pageerror', 'request']) page.removeAllListeners(event);
  try {
    await page.unrouteAll();
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    // Stays at the hub's origin: another one would need another browser process.
    await page.goto(new URL(waitingPlace, page.url()).href);
    await page.context().clearCookies();
    return true;
  } catch {
    return false;
  }
}
