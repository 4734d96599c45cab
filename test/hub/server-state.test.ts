// The state that a 2025-era server keeps in a client's session or process, through the hub: the caller's next call
// finds it, as without the hub.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Era, eventually } from '@tidings/live/testing';
import type { ServerEntry } from '@tidings/track';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fixture } from '../support/program/bundled-program.ts';
import { AskingClient, type AskingClientOptions } from './asking-client.ts';
import { type RunningHub, runningHub } from './running-hub.ts';

const program = await fixture('stateful-server-1.js');

/** The folder of a server's notes and counter. */
interface Place {
  folder: string;
  args: string[];
}

async function freshPlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-state-'));
  return { folder, args: [program, join(folder, 'notes'), join(folder, 'counter')] };
}

const common = { enabled: true, trackResources: true };
const eras = ['modern', 'legacy'] as const;
const level = { _meta: { 'io.modelcontextprotocol/logLevel': 'info' } };

async function say(client: AskingClient, name: string, args: Record<string, unknown> = {}): Promise<string> {
  const { content } = await client.client.callTool({ name, arguments: args });
  return content.map((block) => (block.type === 'text' ? block.text : block.type)).join();
}

describe('over HTTP', () => {
  let place: Place;
  let hub: RunningHub;
  let web: ChildProcess;
  let address: string;
  beforeAll(async () => {
    place = await freshPlace();
    web = spawn(process.execPath, [...place.args, 'http'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line]: unknown[] = web.stdout ? await once(web.stdout, 'data') : [];
    address = String(line).trim();
    hub = await runningHub({ servers: [{ id: 'http', url: address, headers: {}, ...common }] });
    await hub.isLive('http');
  });
  afterAll(async () => {
    await hub[Symbol.asyncDispose]();
    const ended = once(web, 'exit');
    web.kill();
    await ended;
    await rm(place.folder, { recursive: true, maxRetries: 5 });
  });

  /** Each is another caller, so that earlier tests have no effect. */
  const connect = (era: Era, options?: AskingClientOptions) =>
    AskingClient.connect(`${hub.url}/mcp/http`, era, { info: randomUUID(), ...options });

  describe.each(eras)('for a %s client', (era) => {
    it.each([
      ['with every capability', undefined],
      ['that can be asked for forms', { elicitation: { form: {} } }],
      ['with roots', { roots: {} }],
      ['that cannot be asked', {}],
    ])('%s, all calls are made in one session over HTTP', async (_, capabilities) => {
      await using client = await connect(era, capabilities && { capabilities });
      expect(await say(client, 'navigate', { url: 'https://a' })).toBe('https://a');
      expect(await say(client, 'snapshot')).toBe('https://a');
      const click = await say(client, 'click');
      expect(click).toMatch(/^\d+ on https:\/\/a$/);
      expect(await say(client, 'navigate', { url: 'https://b' })).toBe('https://b');
      expect(await say(client, 'click')).toBe(`${Number.parseInt(click, 10) + 1} on https://b`);
      expect(await say(client, 'snapshot')).toBe('https://b');
    });

    it('two clients over HTTP have separate sessions', async () => {
      await using ada = await connect(era);
      await using bob = await connect(era);
      await say(ada, 'navigate', { url: 'https://a' });
      expect(await say(bob, 'snapshot')).toBe('about:blank');
      expect(await say(ada, 'snapshot')).toBe('https://a');
    });

    it('an unknown session is opened again, and the call is made once', async () => {
      await using client = await connect(era);
      const before = Number(await say(client, 'increment'));
      await fetch(`${address}/forget`);
      expect(await say(client, 'increment')).toBe(String(before + 1));
    });

    it('log messages over HTTP arrive in the same session', async () => {
      await using client = await connect(era, { capabilities: {} });
      if (era === 'legacy') await client.client.setLoggingLevel('info');
      const extra = era === 'modern' ? level : {};
      await client.client.callTool({ name: 'navigate', arguments: { url: 'https://a' }, ...extra });
      await client.client.callTool({ name: 'say', ...extra });
      await eventually('the message', () => client.logged.includes('a warning'));
      const { content } = await client.client.callTool({ name: 'snapshot', ...extra });
      expect(content).toMatchObject([{ text: 'https://a' }]);
    });
  });

  it('log messages of its own session reach a 2025-era client that has set no level', async () => {
    await using client = await connect('legacy');
    await client.call('say');
    await eventually('the message', () => client.logged.includes('a warning'));
  });
});

describe('on stdio', () => {
  let place: Place;
  let hub: RunningHub;
  beforeEach(async () => {
    place = await freshPlace();
    const stdio: ServerEntry = { id: 'stdio', command: process.execPath, args: place.args, env: {}, ...common };
    hub = await runningHub({ servers: [stdio] });
    await hub.isLive('stdio');
  });
  afterEach(async () => {
    await hub[Symbol.asyncDispose]();
    await rm(place.folder, { recursive: true, maxRetries: 5 });
  });

  const processes = async (which: 'started' | 'ended' = 'started') =>
    (await readFile(join(place.folder, 'notes'), 'utf8')).split('\n').filter((each) => each === which).length;

  describe.each(eras)('for a %s client', (era) => {
    const connect = (options?: AskingClientOptions) => AskingClient.connect(`${hub.url}/mcp/stdio`, era, options);

    it('a log level alone starts no process, so all callers share one state', async () => {
      await using client = await connect({ capabilities: {}, info: 'logger' });
      await using other = await connect({ capabilities: {}, info: 'other' });
      if (era === 'legacy') await client.client.setLoggingLevel('info');
      await client.client.callTool({
        name: 'navigate',
        arguments: { url: 'https://a' },
        ...(era === 'modern' && level),
      });
      expect(await say(other, 'snapshot')).toBe('https://a');
      expect(await processes()).toBe(1);
    });

    it('a caller of a server that asks keeps one process', async () => {
      await using client = await connect();
      expect(await say(client, 'login')).toMatch(/call it again if that is safe/);
      expect(await say(client, 'login')).toBe('Welcome Ada');
      expect(await say(client, 'whoami')).toBe('Ada');
      expect(await say(client, 'login')).toBe('Welcome Ada');
      expect(await say(client, 'whoami')).toBe('Ada');
      expect(await processes()).toBe(2);
    });

    it("a change made in a caller's own process is noticed in the shared one", async () => {
      await using client = await connect();
      await say(client, 'login');
      await using other = await connect({ capabilities: {}, info: 'other' });
      const read = async () => (await other.client.readResource({ uri: 'count://n' })).contents[0];
      expect(await read()).toMatchObject({ text: '0' });
      await eventually('the resource to be followed', () => hub.status('stdio')?.subscribed === 1);
      expect(await say(client, 'increment')).toBe('1');
      expect(await processes()).toBe(2);
      const { journal } = hub.hub.tracker;
      await eventually('the change', () =>
        journal.newest(100).entries.some(({ event }) => event.type === 'resource_update' && event.serverId === 'stdio'),
      );
      expect(await read()).toMatchObject({ text: '1' });
    });
  });

  it('the process of a 2025-era client ends with its session', async () => {
    const client = await AskingClient.connect(`${hub.url}/mcp/stdio`, 'legacy');
    await client.call('login');
    await client.call('login');
    expect([await processes(), await processes('ended')]).toEqual([2, 0]);
    await client[Symbol.asyncDispose]();
    await eventually('the session to end', async () => (await processes('ended')) === 1);
  });
});
