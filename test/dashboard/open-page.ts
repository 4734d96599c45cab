// The dashboard in a real browser. Whatever the page complains about fails the test.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, type Page, chromium } from 'playwright-core';
import { expect } from 'vitest';
import { serviceNeed } from '../support/service-need.ts';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

export const chromiumNeed = serviceNeed({
  what: 'Chromium',
  isThere: executablePath !== undefined,
  install: 'bash scripts/install-test-tools.sh',
});

export const builtPages = fileURLToPath(new URL('../../packages/dashboard/dist', import.meta.url));

/** Pages stay quiet about a hub that is away only as far as the browser lets them. */
const unreachable = /ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE|ERR_CONNECTION_RESET|ERR_NETWORK/;

/** Browsers complain about every refusal, also one that the page shows and explains. */
const refused = /the server responded with a status of 4\d\d/;

/** Where a page waits for the next test. The browser asks for an icon of it, which there is not. */
const waitingPlace = '/icon.svg';
const missingIcon = /^http:\/\/[^/]+\/favicon\.ico$/;

interface OpenOptions extends BrowserContextOptions {
  mayBeAway?: boolean;
  mayBeRefused?: boolean;
  /** The page's time can be moved on. */
  clock?: boolean;
}

export interface OpenPage extends AsyncDisposable {
  page: Page;
}

/** A browser of the test's own, to be closed. */
export async function launch(flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    // As root, as in a container, it has no sandbox.
    args: [...flags, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
}

let shared: Promise<Browser> | undefined;

/** For all test files of a worker; it ends with the worker. */
export async function sharedBrowser(): Promise<Browser> {
  shared ??= launch();
  return shared;
}

/** Pages that tests have left: for a browser, a new one is more work than what most tests do on it. */
const left = new WeakMap<Browser, Page>();

export async function openPage(
  browser: Browser,
  url: string,
  { mayBeAway = false, mayBeRefused = false, clock = false, ...options }: OpenOptions = {},
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

/** Takes everything off the page that a test may have put there; false where that is not possible. */
async function isLeftClean(page: Page): Promise<boolean> {
  for (const event of ['console', 'dialog', 'pageerror', 'request']) page.removeAllListeners(event);
  try {
    await page.unrouteAll();
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    // Elsewhere than at the hub, the browser would start another process for it.
    await page.goto(new URL(waitingPlace, page.url()).href);
    await page.context().clearCookies();
    return true;
  } catch {
    return false;
  }
}
