// A server may hold anything, a page with a script in it too. Opened in a browser it must not act as the hub's.
import { eventually } from '@tidings/live/testing';
import { liveServer } from '@tidings/live';
import { expect, it } from 'vitest';
import { runningHub } from '../hub/running-hub.ts';
import { describeWith } from '../support/needs.ts';
import { chromiumNeed, launch } from './open-page.ts';

const script = `fetch('/api/demo', { method: 'POST' }); document.title = 'taken over';`;
const kinds = {
  'text/html': `<!doctype html><title>a page</title><p id="there">here</p><script>${script}</script>`,
  'image/svg+xml': `<svg xmlns="http://www.w3.org/2000/svg"><title>a picture</title><text id="there">here</text><script>${script}</script></svg>`,
};

describeWith(chromiumNeed, 'a resource with a script in it', () => {
  it.each(Object.entries(kinds))('of type %s runs nothing when it is opened', async (mimeType, text) => {
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
