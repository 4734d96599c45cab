// Calls from the page: a server that asks its user during a call, and the requests as they were sent.
import { fileURLToPath } from 'node:url';
import { type LiveServer, liveServer } from '@tidings/live';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningHub, runningHub } from '../hub/running-hub.ts';
import { describeWith } from '../support/run/needs.ts';
import { expectAccessible, phone } from './accessible.ts';
import { builtPages, chromiumNeed, openPage, sharedBrowser } from './open-page.ts';

const entry = (id: string, program: string) => ({
  id,
  command: process.execPath,
  args: [fileURLToPath(new URL(`../fixtures/${program}`, import.meta.url))],
  env: {},
  enabled: true,
  trackResources: false,
});

/** A server that logs during a call, and returns the `_meta` of the request. */
function talkingServer(): LiveServer {
  const server = liveServer({ name: 'talking', version: '1.0.0', capabilities: { logging: {} } });
  server.tool('talk', {}, (_, { log, mcpReq }) => {
    log('debug', 'in detail');
    log('warning', { disk: 'full' }, 'storage');
    return JSON.stringify(mcpReq._meta?.['example.com/key'] ?? 'nothing');
  });
  return server;
}

describeWith(chromiumNeed, 'calls from the page', () => {
  let browser: Browser;
  let hub: RunningHub;

  beforeAll(async () => {
    browser = await sharedBrowser();
    hub = await runningHub({
      servers: [
        entry('modern', 'asking-server-2.js'),
        entry('legacy', 'asking-server-1.js'),
        { id: 'talking', builtin: 'talking', enabled: true, trackResources: false },
      ],
      builtins: { talking: async () => talkingServer() },
      pages: builtPages,
    });
    await hub.isLive('modern', 'legacy', 'talking');
  });

  afterAll(async () => {
    await hub[Symbol.asyncDispose]();
  });

  /** Opens the form of the tool or prompt with this name. */
  const offered = async (page: Page, name: string) => {
    const offer = page.locator('details', { has: page.locator('summary code', { hasText: new RegExp(`^${name}$`) }) });
    await offer.locator('summary').click();
    return { offer, question: offer.getByRole('form', { name: 'Question of the server' }) };
  };

  it.each(['modern', 'legacy'])('a tool of a %s server asks, and gets the answers of the form', async (id) => {
    await using opened = await openPage(browser, `${hub.url}/#/servers?id=${id}`);
    const { page } = opened;
    const { offer, question } = await offered(page, 'ask_twice');
    await offer.getByRole('button', { name: 'Call' }).click();
    await question.getByText('First?').waitFor();
    await question.getByRole('textbox', { name: 'name (required)' }).fill('Ada');
    await question.getByRole('button', { name: 'Accept' }).click();
    await question.getByText('Second?').waitFor();
    await question.getByRole('textbox', { name: 'name (required)' }).fill('Grace');
    await question.getByRole('button', { name: 'Accept' }).click();
    await offer.getByRole('region', { name: 'Result' }).getByText('Ada, Grace').waitFor();
    await question.waitFor({ state: 'detached' });
  });

  it('a question can be declined, and a call cancelled while it asks', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/servers?id=modern`);
    const { page } = opened;
    const { offer, question } = await offered(page, 'ask_name');
    await offer.getByRole('button', { name: 'Call' }).click();
    await question.getByRole('button', { name: 'Decline' }).click();
    await offer.getByText('Hello decline').waitFor();
    await offer.getByRole('button', { name: 'Call' }).click();
    await question.waitFor();
    await offer.getByRole('button', { name: 'Cancel' }).click();
    await offer.getByText('Cancelled.').waitFor();
    await question.waitFor({ state: 'detached' });
  });

  it('a page to visit is shown with its full address', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/servers?id=modern`);
    const { page } = opened;
    const { offer, question } = await offered(page, 'ask_url');
    await offer.getByRole('button', { name: 'Call' }).click();
    const link = question.getByRole('link', { name: 'https://example.com/in' });
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
    await question.getByRole('button', { name: 'Accept' }).click();
    await offer.getByText('You said accept').waitFor();
  });

  it('a prompt can ask', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/servers?id=legacy`);
    const { page } = opened;
    const { offer, question } = await offered(page, 'ask_prompt');
    await offer.getByRole('button', { name: 'Get' }).click();
    await question.getByRole('textbox', { name: 'name (required)' }).fill('Ada');
    await question.getByRole('button', { name: 'Accept' }).click();
    await offer.getByText('Greet Ada').waitFor();
  });

  it('the requests are shown with their answers', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/servers?id=modern`);
    const { page } = opened;
    const { offer } = await offered(page, 'plain');
    await offer.getByRole('button', { name: 'Call' }).click();
    await offer.getByText('Nothing asked.').waitFor();
    const requests = page.getByRole('region', { name: 'Requests' });
    const call = requests.locator('details', { hasText: 'tools/call' });
    await call.locator('summary').click();
    await call.getByText('"Nothing asked."').waitFor();
    await call.getByText('"2026-07-28"').first().waitFor();
    await requests.getByText('tools/list').waitFor();
    await requests.getByRole('button', { name: 'Clear' }).click();
    await requests.waitFor({ state: 'detached' });
  });

  it('the log messages of a call are shown, from the chosen level on', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/servers?id=talking`);
    const { page } = opened;
    const { offer } = await offered(page, 'talk');
    const messages = page.getByRole('region', { name: 'Messages' });
    const call = async () => {
      await offer.getByRole('button', { name: 'Call' }).click();
      await offer.getByRole('region', { name: 'Result' }).getByText('nothing').waitFor();
    };
    await call();
    expect(await messages.innerText()).not.toContain('storage');
    await messages.getByRole('combobox', { name: 'Level of messages' }).selectOption('From warning');
    await call();
    await messages.getByText(/warning {2}storage: \{"disk":"full"\}$/).waitFor();
    expect(await messages.innerText()).not.toContain('in detail');
    await messages.getByRole('button', { name: 'Clear' }).click();
    await messages.getByRole('combobox', { name: 'Level of messages' }).selectOption('From debug');
    await call();
    await messages.getByText(/debug {2}in detail/).waitFor();
    await expectAccessible(page, 'the messages');
  });

  it('_meta is sent with a call, if it is a JSON object', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/servers?id=talking`);
    const { page } = opened;
    const { offer } = await offered(page, 'talk');
    await offer.getByText('_meta').click();
    const meta = offer.getByRole('textbox', { name: '_meta of the request' });
    await meta.fill('[1]');
    await offer.getByRole('button', { name: 'Call' }).click();
    await offer.getByText('_meta has to be a JSON object.').waitFor();
    await meta.fill('{"example.com/key": "told"}');
    await offer.getByRole('button', { name: 'Call' }).click();
    await offer.getByRole('region', { name: 'Result' }).getByText('told').waitFor();
  });

  it.each(['modern', 'legacy', 'talking'])('a ping is answered by the server %s', async (id) => {
    await using opened = await openPage(browser, `${hub.url}/#/servers?id=${id}`);
    const { page } = opened;
    await page.getByRole('button', { name: 'Ping' }).click();
    await page
      .getByRole('status', { name: 'Ping' })
      .getByText(/^Answered in [\d.]+ ms$/)
      .waitFor();
  });

  it.each(['light', 'dark'] as const)(
    'a question and the requests are accessible on a phone, %s',
    async (colorScheme) => {
      await using opened = await openPage(browser, `${hub.url}/#/servers?id=modern`, { ...phone, colorScheme });
      const { page } = opened;
      const { offer, question } = await offered(page, 'ask_name');
      await offer.getByRole('button', { name: 'Call' }).click();
      await question.waitFor();
      await expectAccessible(page, 'the question');
      await question.getByRole('button', { name: 'Decline' }).click();
      const requests = page.getByRole('region', { name: 'Requests' });
      await requests.locator('summary').first().click();
      await requests.getByRole('button', { name: 'Copy both' }).waitFor();
      await expectAccessible(page, 'the requests');
    },
  );

  it('the top bar fits on a phone with all its elements', async () => {
    await using guarded = await runningHub({ pages: builtPages, token: 'secret' });
    // This page shows the log-out button.
    await using opened = await openPage(browser, `${guarded.url}/#token=secret`, { ...phone, mayBeRefused: true });
    const { page } = opened;
    await page.getByRole('button', { name: 'Log out' }).waitFor();
    await expectAccessible(page, 'the top');
  });

  it('the chosen theme is kept', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/servers`, { colorScheme: 'light' });
    const { page } = opened;
    const paper = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await paper();
    await page.getByRole('combobox', { name: 'Theme' }).selectOption('dark');
    const dark = await paper();
    expect(dark).not.toBe(light);
    await page.reload();
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
    expect(await paper()).toBe(dark);
    await page.getByRole('combobox', { name: 'Theme' }).selectOption('system');
    expect(await paper()).toBe(light);
  });
});
