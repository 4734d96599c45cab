// A page in a browser holds a realtime session with the real client library, over WebSocket and WebRTC, and gets
// updates from a hub on another origin; a restart of the hub loses none.
import { eventually } from '@tidings/live/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { chromiumNeed, launch } from '../dashboard/open-page.ts';
import { NotesUpstream } from '../hub/notes-upstream.ts';
import { HubProcess } from '../support/program/hub-process.ts';
import { describeWith } from '../support/run/needs.ts';
import { type Received, RealtimeServer, systemMessages } from '../support/counterpart/realtime-server.ts';
import { SessionSite } from './session-site.ts';

const names = ['a', 'b', 'c', 'd'];
// Two pages of one browser call each other over loopback, by their plain addresses.
const callFlags = ['--allow-loopback-in-peer-connection', '--disable-features=WebRtcHideLocalIpsWithMdns'];
const gapPattern = /^Resources of MCP server notes may have changed/;
const receivedSchema = z.array(z.looseObject({ type: z.string() }));

/** The model at the other end of a page's session. */
interface Model extends AsyncDisposable {
  url: string;
  received(): Promise<readonly Received[]>;
  /** Begins or ends an answer. */
  answering(isAnswering: boolean): Promise<void>;
}

async function overWebSocket(): Promise<Model> {
  const server = await RealtimeServer.start();
  return {
    url: server.url,
    received: async () => server.received,
    answering: async (isAnswering) => server.answering(isAnswering),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function overWebRtc(browser: Browser, site: SessionSite): Promise<Model> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${site.origin}/peer.html`);
  site.answer = async (offer) => z.string().parse(await page.evaluate(`peer.answer(${JSON.stringify(offer)})`));
  return {
    url: `${site.origin}/calls`,
    received: async () => receivedSchema.parse(await page.evaluate('peer.received')),
    answering: async (isAnswering) => void (await page.evaluate(`peer.answering(${isAnswering})`)),
    [Symbol.asyncDispose]: () => page.context().close(),
  };
}

describeWith(chromiumNeed, 'a page that holds a realtime session', () => {
  let browser: Browser;
  let site: SessionSite;

  beforeAll(async () => {
    browser = await launch(callFlags);
    site = await SessionSite.start();
  });

  afterAll(async () => {
    await browser.close();
    await site[Symbol.asyncDispose]();
  });

  async function openPage(model: Model, transport: string, options: object): Promise<Page> {
    const page = await (await browser.newContext()).newPage();
    await page.goto(site.origin);
    await page.waitForFunction('globalThis.page !== undefined');
    await page.evaluate(`page.connect(${JSON.stringify({ transport, url: model.url })})`);
    await page.evaluate(`page.tell(${JSON.stringify(options)})`);
    await page.waitForFunction('page.states.includes("connected")');
    return page;
  }

  it.each(['websocket', 'webrtc'])('is told over %s, across a restart of the hub, of each', async (transport) => {
    await using notes = await NotesUpstream.start('modern');
    for (const name of names) notes.put(name, '0');
    const hub = await HubProcess.start({ servers: [notes.entry('notes')], cors: [site.origin] });
    await using model = await (transport === 'webrtc' ? overWebRtc(browser, site) : overWebSocket());
    const page = await openPage(model, transport, { hub: hub.url });
    const told = async () => systemMessages(await model.received());
    const urisTold = async () => (await told()).map((text) => text.split(' ')[1] ?? '');

    for (const name of ['a', 'b', 'c']) notes.put(name, '1');
    await eventually('what happened before', async () => (await told()).length === 3);
    await hub.hasReadAll();
    await hub.stop();
    await page.waitForFunction('page.states.includes("reconnecting")');
    notes.put('b', '2');
    notes.put('d', '2');
    await hub.start();
    // Changes right before the hub's end may be repeated, since the page cannot know whether it has all of them.
    // Content that the hub had not stored cannot be compared, and leads to a gap.
    const isTold = async (...wanted: string[]) => {
      const since = (await told()).slice(3);
      return wanted.every((uri) => since.some((text) => text.includes(` ${uri} `) || gapPattern.test(text)));
    };
    await eventually('what happened meanwhile', () => isTold('note://b', 'note://d'));
    await page.waitForFunction('["connected", "gap"].includes(page.states.at(-1))');
    const before = (await urisTold()).length;
    notes.put('a', '3');
    await eventually('what happened after', async () => (await urisTold()).slice(before).includes('note://a'));

    const uris = await urisTold();
    expect(uris.slice(0, 3)).toEqual(['note://a', 'note://b', 'note://c']);
    expect(uris.length, 'no endless repetition').toBeLessThanOrEqual(9);
    for (const text of (await told()).filter((each) => !gapPattern.test(each)))
      expect(text).toMatch(/^Resource note:\/\/[a-d] updated for MCP server notes at \d{4}-/);
    expect((await model.received()).map(({ type }) => type)).not.toContain('response.create');
    await page.context().close();
    await hub.stop();
  });

  it.each(['websocket', 'webrtc'])(
    'waits over %s while the model answers, and while it is not connected',
    async (transport) => {
      await using notes = await NotesUpstream.start('modern');
      for (const name of names) notes.put(name, '0');
      const hub = await HubProcess.start({ servers: [notes.entry('notes')], cors: [site.origin] });
      await using model = await (transport === 'webrtc' ? overWebRtc(browser, site) : overWebSocket());
      const page = await openPage(model, transport, {
        hub: hub.url,
        when: 'between-turns',
        uris: ['note://a', 'note://b'],
      });
      const told = async () => systemMessages(await model.received());
      const journaled = (count: number) =>
        eventually('it to be journaled', async () => (await hub.metric('tidings_announce_seconds_count')) === count);

      const began = performance.now();
      await model.answering(true);
      await page.waitForFunction('page.isAnswering');
      for (const name of ['a', 'c']) notes.put(name, '1');
      await journaled(2);
      // On a slow machine the three seconds may be over by now.
      const early = await told();
      if (performance.now() - began < 2500) expect(early).toEqual([]);
      await model.answering(false);
      await eventually('what waited', async () => (await told()).length === 1);

      await page.evaluate('page.disconnect()');
      notes.put('b', '2');
      await journaled(3);
      await page.evaluate(`page.connect(${JSON.stringify({ transport, url: model.url })})`);
      await eventually('what happened meanwhile', async () => (await told()).length === 2);
      expect((await told()).map((text) => text.split(' ')[1])).toEqual(['note://a', 'note://b']);
      await page.context().close();
      await hub.stop();
    },
  );
});
