// A server may hold a page with a script. Opened in a browser, it must not act with the rights of the hub's page.
import { eventually } from '@tidings/live/testing';
import { liveServer } from '@tidings/live';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningHub, runningHub } from '../hub/running-hub.ts';
import { describeWith } from '../support/run/needs.ts';
import { builtPages, chromiumNeed, launch, openPage } from './open-page.ts';

const script = `fetch('/api/demo', { method: 'POST', headers: { 'Content-Type': 'application/json' } }); document.title = 'taken over';`;
const kinds = {
  'text/html': `<!doctype html><title>a page</title><p id="there">here</p><script>${script}</script>`,
  'image/svg+xml': `<svg xmlns="http://www.w3.org/2000/svg"><title>a picture</title><text id="there">here</text><script>${script}</script></svg>`,
};

describeWith(chromiumNeed, 'a resource with a script in it', () => {
  it.each(Object.entries(kinds))('of type %s runs no script when opened', async (mimeType, text) => {
    const server = liveServer({ name: 'hostile', version: '1.0.0' });
    server.resource('hostile://page', { mimeType, read: () => text });
    await using hub = await runningHub({
      servers: [{ id: 'hostile', builtin: 'hostile', enabled: true, trackResources: true }],
      builtins: { hostile: async () => server },
    });
    await hub.isLive('hostile');
    const browser = await launch();
    try {
      const page = await browser.newPage();
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await page.goto(`${hub.url}/resources/hostile%3A%2F%2Fpage`);
      await eventually('it to be shown', async () => (await page.locator('#there').count()) === 1);
      expect(await page.title()).not.toBe('taken over');
      expect(asked).not.toContain('/api/demo');
    } finally {
      await browser.close();
    }
  });
});

/** Ways in which a page can run code that it loads, tried from the dashboard itself. `done` reports the refusal. */
const attempts = {
  'a script': `const it = document.createElement('script'); it.src = at; document.head.append(it);`,
  'a module': `const it = document.createElement('script'); it.type = 'module'; it.src = at; document.head.append(it);`,
  'an inline script': `const it = document.createElement('script'); it.textContent = code; document.head.append(it);`,
  'an import': `import(at).catch(done);`,
  'a handler in markup': `document.body.insertAdjacentHTML('beforeend', '<img src="/nothing" onerror="' + code + '">');`,
  'a frame with markup': `const it = document.createElement('iframe'); it.onload = done;
    it.srcdoc = '<script>parent.' + code + '</' + 'script>'; document.body.append(it);`,
  'a worker': `try { new Worker(at).onerror = done; } catch { done(); }`,
  'a shared worker': `try { new SharedWorker(at).onerror = done; } catch { done(); }`,
  'a service worker': `navigator.serviceWorker.register(at, { scope: '/resources/' }).catch(done);`,
  'a stylesheet': `const it = document.createElement('link'); it.rel = 'stylesheet'; it.href = style; it.onerror = done;
    document.head.append(it);`,
};

describeWith(chromiumNeed, 'a script among the resources does not run in the dashboard', () => {
  const ran: string[] = [];
  let browser: Browser;
  let hub: RunningHub;

  beforeAll(async () => {
    browser = await launch();
    const server = liveServer({ name: 'hostile', version: '1.0.0' });
    server.resource('hostile://script', {
      mimeType: 'text/javascript',
      read: () => `globalThis.document && (document.title = 'taken over'); fetch('/resources/hostile%3A%2F%2Fran');`,
    });
    server.resource('hostile://ran', {
      read: () => {
        ran.push('ran');
        return 'noted';
      },
    });
    server.resource('hostile://style', { mimeType: 'text/css', read: () => 'body { display: none; }' });
    hub = await runningHub({
      servers: [{ id: 'hostile', builtin: 'hostile', enabled: true, trackResources: false }],
      builtins: { hostile: async () => server },
      pages: builtPages,
    });
    await hub.isLive('hostile');
  });

  afterAll(async () => {
    await browser.close();
    await hub[Symbol.asyncDispose]();
  });

  it.each(Object.entries(attempts))('as %s', async (_name, attempt) => {
    const page = await browser.newPage();
    await page.goto(hub.url);
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
    // The policy does not apply to code that the debugger evaluates, but to everything that this code loads.
    await page.evaluate(`new Promise((resolve) => {
      const done = () => resolve(true);
      document.addEventListener('securitypolicyviolation', done);
      const at = '/resources/hostile%3A%2F%2Fscript';
      const style = '/resources/hostile%3A%2F%2Fstyle';
      const code = "document.title = 'taken over'";
      ${attempt}
    })`);
    expect(await page.title()).not.toBe('taken over');
    expect(await page.evaluate('getComputedStyle(document.body).display')).not.toBe('none');
    expect(await page.evaluate('navigator.serviceWorker.getRegistrations().then((all) => all.length)')).toBe(0);
    expect(ran).toEqual([]);
    await page.close();
  });
});

/** Small documents that once blocked or crashed the page. */
const heavy: Readonly<Record<string, { mimeType: string; before?: string; text: string }>> = {
  'quotes within quotes': { mimeType: 'text/markdown', text: `${'>'.repeat(20_000)} the end` },
  'a million values in three levels': {
    mimeType: 'application/json',
    text: JSON.stringify(Array.from({ length: 100 }, () => Array.from({ length: 100 }, () => Array(100).fill(0)))),
  },
  'lists within lists': {
    mimeType: 'application/json',
    before: `${'['.repeat(5000)}1${']'.repeat(5000)}`,
    text: `${'['.repeat(5000)}2${']'.repeat(5000)}`,
  },
  'a hundred thousand lines': { mimeType: 'text/plain', before: 'one', text: 'one\n'.repeat(100_000) },
};

describeWith(chromiumNeed, 'a content that is heavy to show does not stop the page', () => {
  it.each(Object.entries(heavy))('%s', async (_name, { mimeType, before, text }) => {
    let current = before ?? text;
    const server = liveServer({ name: 'hostile', version: '1.0.0' });
    const resource = server.resource('hostile://heavy', { mimeType, read: () => current });
    server.resource('hostile://light', { read: () => 'as usual' });
    await using hub = await runningHub({
      servers: [{ id: 'hostile', builtin: 'hostile', enabled: true, trackResources: true }],
      builtins: { hostile: async () => server },
      pages: builtPages,
    });
    await hub.isLive('hostile');
    const browser = await launch();
    try {
      await using opened = await openPage(browser, `${hub.url}/#/resources?server=hostile&uri=hostile://heavy`);
      const { page } = opened;
      const content = page.getByRole('region', { name: 'Content', exact: true });
      await content.getByText(/read just now|read \d/).waitFor();
      current = text;
      resource.changed();
      await content.getByRole('button', { name: 'What changed' }).click();
      if (before !== undefined) await content.locator('.json-changes, .diff').waitFor();
      await page.goto(`${hub.url}/#/resources?server=hostile&uri=hostile://light`);
      await content.getByText('as usual').waitFor();
    } finally {
      await browser.close();
    }
  });
});
