// Limits for questions of servers through the hub, with a real process of the 1.x SDK: own sessions only for servers
// that ask, cancellation, pages to open, endless questions.
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@tidings/live/testing';
import type { RequestOptions } from '@modelcontextprotocol/client';
import type { CommandEntry } from '@tidings/track';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fixture } from '../support/program/bundled-program.ts';
import { AskingClient, type AskingClientOptions } from './asking-client.ts';
import { type RunningHub, runningHub } from './running-hub.ts';

let folder: string;
let hub: RunningHub;
let server: CommandEntry;
const start = async () => {
  hub = await runningHub({ place: join(folder, 'data'), servers: [server] });
  await hub.isLive('old');
};
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidings-relay-'));
  const args = [await fixture('asking-server-1.js'), join(folder, 'notes')];
  server = { id: 'old', command: process.execPath, args, env: {}, enabled: true, trackResources: false };
  await start();
});
afterEach(async () => {
  await hub[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, maxRetries: 5 });
});

const count = async (line: string) =>
  (await readFile(join(folder, 'notes'), 'utf8')).split('\n').filter((each) => each === line).length;

it('a read over plain HTTP is cancelled at the server when its client has left', async () => {
  const leaving = new AbortController();
  const reading = fetch(`${hub.url}/resources/${encodeURIComponent('ask://wait')}`, { signal: leaving.signal });
  await eventually('the read to arrive', async () => (await count('waiting')) === 1);
  leaving.abort();
  await expect(reading).rejects.toThrow();
  await eventually('the read to be cancelled', async () => (await count('cancelled')) === 1);
});

describe.each(['modern', 'legacy'] as const)('for a %s client', (era) => {
  const connect = (options?: AskingClientOptions) => AskingClient.connect(`${hub.url}/mcp/old`, era, options);

  it('a process for this client is started when the server asks, and reused', async () => {
    await using client = await connect({ capabilities: { elicitation: {} } });
    expect(await client.call('plain')).toBe('Nothing asked.');
    expect(await count('started')).toBe(1);
    expect(await client.call('ask_name')).toBe('Hello Ada');
    expect(await client.call('ask_name')).toBe('Hello Ada');
    expect(await client.call('plain')).toBe('Nothing asked.');
    expect(await count('started')).toBe(2);
    await using unable = await connect({ capabilities: {} });
    expect(await unable.call('plain')).toBe('Nothing asked.');
    expect(await count('started')).toBe(2);
  });

  it('a call that may not be repeated is made once, also after a restart', async () => {
    {
      await using client = await connect();
      expect(await client.call('write')).toMatch(/needed to ask.*call it again if that is safe/);
      expect(await count('written')).toBe(1);
      expect(await client.call('write')).toBe('Written for Ada');
      expect(await count('written')).toBe(2);
    }
    await hub[Symbol.asyncDispose]();
    await start();
    await using later = await connect();
    expect(await later.call('write')).toBe('Written for Ada');
    expect(await count('written')).toBe(3);
  });

  it("a call is cancelled at the server, on the shared session and on the client's own", async () => {
    await using client = await connect();
    for (const times of [1, 2]) {
      const leaving = new AbortController();
      const waiting = client.call('wait', { signal: leaving.signal });
      await eventually('the call to arrive', async () => (await count('waiting')) === times);
      leaving.abort();
      await expect(waiting).rejects.toThrow();
      await eventually('the call to be cancelled', async () => (await count('cancelled')) === times);
      expect(await client.call('ask_name')).toBe('Hello Ada');
    }
  });

  it("prompts and reads are cancelled at the server, on the shared session and on the client's own", async () => {
    await using client = await connect();
    let times = 0;
    const cancels = async (ask: (options: RequestOptions) => Promise<unknown>) => {
      times += 1;
      const leaving = new AbortController();
      // With progress, a read is made for this caller alone.
      const waiting = ask({ signal: leaving.signal, onprogress: () => undefined });
      await eventually('the request to arrive', async () => (await count('waiting')) === times);
      leaving.abort();
      await expect(waiting).rejects.toThrow();
      await eventually('the request to be cancelled', async () => (await count('cancelled')) === times);
    };
    const both = async () => {
      await cancels((options) => client.client.getPrompt({ name: 'wait_prompt' }, options));
      await cancels((options) => client.client.readResource({ uri: 'ask://wait' }, options));
    };
    await both();
    await client.client.getPrompt({ name: 'ask_prompt' });
    await client.client.readResource({ uri: 'ask://read' });
    await both();
    expect(await count('started')).toBeGreaterThan(1);
  });

  it('a shared read is cancelled at the server when all of its callers have left', async () => {
    await using client = await connect({ capabilities: {} });
    await using other = await connect({ capabilities: {}, info: 'other' });
    const leaving = [new AbortController(), new AbortController()] as const;
    const read = async (reader: AskingClient, { signal }: AbortController) =>
      expect(reader.client.readResource({ uri: 'ask://wait' }, { signal })).rejects.toThrow();
    const [first, second] = leaving;
    const waiting = [read(client, first)];
    await eventually('the read to arrive', async () => (await count('waiting')) === 1);
    waiting.push(read(other, second));
    for (const each of leaving) each.abort();
    await Promise.all(waiting);
    await eventually('the read to be cancelled', async () => (await count('cancelled')) === 1);
    // The second reader left before its read was sent.
    expect(await count('waiting')).toBe(1);
  });

  it('each round of a call with questions is in the audit log, without questions and answers', async () => {
    await using client = await connect();
    expect(await client.call('ask_name')).toBe('Hello Ada');
    const rounds = era === 'modern' ? 2 : 1;
    // Recorded when the response has ended in the hub, which its client may see earlier.
    const { text, calls } = await eventually('the records', async () => {
      await hub.hub.audit.flush();
      const [file] = await readdir(join(folder, 'data', 'audit')).catch(() => []);
      if (file === undefined) return undefined;
      const written = await readFile(join(folder, 'data', 'audit', file), 'utf8');
      const records: unknown[] = written.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)));
      const found = records.filter((each) => Object(each).method === 'tools/call');
      return found.length >= rounds && { text: written, calls: found };
    });
    const call = expect.objectContaining({ server: 'old', name: 'ask_name', outcome: 'ok', who: 'everybody' });
    expect(calls).toEqual(Array.from({ length: rounds }, () => call));
    expect(text).not.toMatch(/Who\?|Ada/);
  });

  it('a required page is a question or an error, depending on the era', async () => {
    await using client = await connect({ inputRequired: { maxRounds: 1 } });
    const failure = await client.call('need_url').catch((error: unknown) => error);
    if (era === 'modern') expect(client.asked).toEqual(['Log in.']);
    else expect(failure).toMatchObject({ code: -32042, data: { elicitations: [{ elicitationId: 'e2' }] } });
  });

  it('endless questions are ended, and large ones are passed on', async () => {
    await using client = await connect();
    expect(await client.call('ask_endlessly')).toMatch(/has asked 8 times in one call/);
    expect(client.asked).toHaveLength(8);
    expect(await client.call('ask_much')).toBe('Hello Ada');
    expect(client.asked.at(-1)).toHaveLength(300_000);
  });
});

it('the session of a 2025-era client that vanishes while it is asked ends', async () => {
  const client = await AskingClient.connect(`${hub.url}/mcp/old`, 'legacy');
  let hasBeenAsked = false;
  client.client.setRequestHandler('elicitation/create', () => {
    hasBeenAsked = true;
    return new Promise(() => undefined);
  });
  const calling = client.call('ask_name').catch((error: unknown) => error);
  await eventually('the question', () => hasBeenAsked);
  expect(await count('started')).toBe(2);
  // Without ending its session at the hub.
  await client.client.close();
  await calling;
  await eventually('the session of its own to end', async () => (await count('ended')) === 1);
});

it('a 2025-era client is notified when the page that it opened is completed', async () => {
  await using client = await AskingClient.connect(`${hub.url}/mcp/old`, 'legacy');
  expect(await client.call('ask_url')).toBe('You said accept');
  await eventually('the completion', () => client.completed.includes('e1'));
});

it('a server is notified that the roots of a 2025-era client have changed', async () => {
  const capabilities = { roots: { listChanged: true } };
  await using client = await AskingClient.connect(`${hub.url}/mcp/old`, 'legacy', { capabilities });
  expect(await client.call('ask_roots')).toBe('Roots: file:///home/Ada');
  await client.client.sendRootsListChanged();
  await eventually('the notification', async () => (await count('roots changed')) === 1);
});

it('a modern client has the configured time for its response', async () => {
  hub.hub.apply({ ...hub.hub.tracker.config, answerWithinSeconds: 1 });
  await using client = await AskingClient.connect(`${hub.url}/mcp/old`, 'modern');
  const slow = client.client.request(
    { method: 'tools/call', params: { name: 'ask_name' } },
    { allowInputRequired: true },
  );
  expect(await slow).toMatchObject({ resultType: 'input_required' });
  await eventually('the call to end', async () => (await count('ended')) === 1);
});

it('the call of a modern client that vanishes is freed, also if the server gives its question up first', async () => {
  await using client = await AskingClient.connect(`${hub.url}/mcp/old`, 'modern');
  const params = { name: 'ask_briefly' };
  const asked = await client.client.request({ method: 'tools/call', params }, { allowInputRequired: true });
  expect(asked).toMatchObject({ resultType: 'input_required' });
  await eventually('the session of its own to end', async () => (await count('ended')) === 1);
});
