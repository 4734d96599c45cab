// The page loses its hub in several ways; afterwards no event is missing or duplicated.
import { eventually } from '@tidings/live/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NotesUpstream } from '../hub/notes-upstream.ts';
import { type RunningHub, runningHub } from '../hub/running-hub.ts';
import { describeWith } from '../support/run/needs.ts';
import { FaultyProxy } from '../support/network/faulty-proxy.ts';
import { builtPages, chromiumNeed, launch, openPage } from './open-page.ts';

const names = ['a', 'b', 'c', 'd', 'e'];

describeWith(chromiumNeed, 'a dashboard that loses its hub', () => {
  let browser: Browser;
  let hub: RunningHub;
  let notes: NotesUpstream;
  let version = 0;

  beforeAll(async () => {
    browser = await launch();
    notes = await NotesUpstream.start('modern');
    for (const name of names) notes.put(name, 'first');
    hub = await runningHub({ servers: [notes.entry('notes')], pages: builtPages });
    await hub.isLive('notes');
  });

  afterAll(async () => {
    await browser.close();
    await hub[Symbol.asyncDispose]();
    await notes[Symbol.asyncDispose]();
  });

  const journaled = () => hub.hub.tracker.journal.read({ limit: 1000 }).entries.length;

  async function changeAll(): Promise<void> {
    const before = journaled();
    version += 1;
    for (const name of names) notes.put(name, `version ${version}`);
    await eventually('all to be journaled', () => journaled() >= before + names.length);
  }

  /** The timeline has every event of the journal once, and the open resource shows its latest content. */
  async function isRight(page: Page): Promise<void> {
    // The journal may still grow: a change may be told twice.
    const showsAll = async () => (await page.getByText(`${journaled()} events`, { exact: true }).count()) > 0;
    await eventually('every event', showsAll);
    await page.getByRole('link', { name: 'Resources', exact: true }).click();
    await page.getByRole('treeitem', { name: 'note://e' }).click();
    await page.getByText(`version ${version}`, { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Servers', exact: true }).click();
    await page.getByText(`${names.length} of ${names.length}`).waitFor();
  }

  const says = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor();

  /** Browsers reuse dead connections, and give up each attempt on one after a while. */
  const isBack = (page: Page) =>
    eventually('the page to be back', async () => {
      await page.clock.fastForward(5000);
      return /^(Reconnected|Live)/.test((await page.getByRole('status').textContent()) ?? '');
    });

  it('because the connection died silently, detected by missing heartbeats', async () => {
    const proxy = await FaultyProxy.open(hub.url);
    await using opened = await openPage(browser, `${proxy.url}/#/timeline`, {
      mayBeAway: true,
      clock: true,
    });
    const { page } = opened;
    await changeAll();
    await page.getByText(`${journaled()} events`, { exact: true }).waitFor();
    proxy.affect('blackHole');
    proxy.affectNew('blackHole');
    await changeAll();
    await page.clock.fastForward(45_000);
    await says(page, 'Reconnecting');
    proxy.mend();
    await isBack(page);
    await isRight(page);
    await proxy.close();
  });

  it('because the machine slept', async () => {
    const proxy = await FaultyProxy.open(hub.url);
    await using opened = await openPage(browser, `${proxy.url}/#/timeline`, {
      mayBeAway: true,
      clock: true,
    });
    const { page } = opened;
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
    proxy.affect('blackHole');
    proxy.affectNew('blackHole');
    await changeAll();
    proxy.mend();
    await devtools.send('Page.setWebLifecycleState', { state: 'active' });
    // As after waking up: time has passed, and every timer fires once.
    await page.clock.fastForward('08:00:00');
    await isBack(page);
    await isRight(page);
    await proxy.close();
  });

  it('because the network went away', async () => {
    await using opened = await openPage(browser, `${hub.url}/#/timeline`, { mayBeAway: true });
    const { page } = opened;
    await page.context().setOffline(true);
    await changeAll();
    await page.getByRole('link', { name: 'Clients', exact: true }).click();
    // The second, if the page has not noticed yet that its event stream ended.
    await page
      .getByText(/^(Reading…|The hub does not answer\.)$/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Servers', exact: true }).click();
    await page.getByRole('link', { name: 'notes', exact: true }).click();
    await page.getByRole('button', { name: 'Ping' }).click();
    await page.getByText('The hub does not answer.', { exact: true }).first().waitFor();
    await page.context().setOffline(false);
    await says(page, /^Reconnected/);
    await page.getByRole('link', { name: 'Timeline', exact: true }).click();
    await isRight(page);
  });

  it('because the hub requires another token, and asks for it', async () => {
    const servers = [notes.entry('notes')];
    const first = await runningHub({ servers, pages: builtPages, token: 'one' });
    await using opened = await openPage(browser, `${first.url}/#token=one`, { mayBeAway: true, mayBeRefused: true });
    const { page } = opened;
    await first[Symbol.asyncDispose]();
    await using _second = await runningHub({
      servers,
      pages: builtPages,
      token: 'two',
      port: Number(new URL(first.url).port),
    });
    await says(page, 'This hub asks for a token: log in again. Log in');
    await page.getByRole('link', { name: 'Log in' }).click();
    await page.getByLabel('Token').fill('two');
    await page.keyboard.press('Enter');
    await says(page, 'Live');
  });
});

describeWith(chromiumNeed, 'a hub with a token', () => {
  it('logs a browser in that has shown it once, and removes it from the address', async () => {
    await using notes = await NotesUpstream.start('modern');
    notes.put('a', 'first');
    await using hub = await runningHub({ servers: [notes.entry('notes')], pages: builtPages, token: 'secret-token' });
    await hub.isLive('notes');
    const browser = await launch();
    try {
      await using opened = await openPage(browser, `${hub.url}/#token=secret-token`, { mayBeRefused: true });
      const { page } = opened;
      expect(page.url()).not.toContain('secret-token');
      expect(await page.evaluate('document.cookie')).toBe('');
      await page.goto(`${hub.url}/#/resources?server=notes&uri=note%3A%2F%2Fa`);
      await page.getByText('first', { exact: true }).waitFor();
      notes.put('a', 'second');
      await page.getByText('second', { exact: true }).waitFor();
      await page.reload();
      await page.getByText('second', { exact: true }).waitFor();
      expect(page.url()).not.toContain('secret-token');
      await page.goBack();
      expect(page.url()).not.toContain('secret-token');
      expect((await hub.get('/api/servers')).status).toBe(401);
    } finally {
      await browser.close();
    }
  });

  it('shows a form for the token, and reports a wrong one', async () => {
    await using hub = await runningHub({ pages: builtPages, token: 'secret-token' });
    const browser = await launch();
    try {
      const page = await browser.newPage();
      await page.goto(hub.url);
      await page.getByText('This hub asks for a token.').waitFor();
      await page.getByLabel('Token').fill('guess');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('The hub does not have this token.').waitFor();
      await page.getByLabel('Token').fill('secret-token');
      await page.getByRole('button', { name: 'Open' }).click();
      await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
      expect(page.url()).toBe(`${hub.url}/`);
    } finally {
      await browser.close();
    }
  });
});
