// The bounds of what a server may ask through the hub, with a real process of the 1.x SDK behind it: sessions of its
// own only where it asks, cancellation, pages to open, questions without end.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '@tidings/live/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AskingClient, type AskingClientOptions } from './asking-client.ts';
import { type RunningHub, runningHub } from './running-hub.ts';

const program = fileURLToPath(new URL('../fixtures/asking-server-1.js', import.meta.url));

let folder: string;
let hub: RunningHub;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidings-relay-'));
  const args = [program, join(folder, 'notes')];
  hub = await runningHub({
    servers: [{ id: 'old', command: process.execPath, args, env: {}, enabled: true, trackResources: false }],
  });
  await hub.isLive('old');
});
afterEach(async () => {
  await hub[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, maxRetries: 5 });
});

const count = async (line: string) =>
  (await readFile(join(folder, 'notes'), 'utf8')).split('\n').filter((each) => each === line).length;

describe.each(['modern', 'legacy'] as const)('for a %s client', (era) => {
  const connect = (options?: AskingClientOptions) => AskingClient.connect(`${hub.url}/mcp/old`, era, options);

  it('a process of its own is started when the server wants to ask, and used again', async () => {
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

  it('a call is cancelled at the server, on the shared session and on its own', async () => {
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

  it('a page to be opened first is asked for, or told, as the era has it', async () => {
    await using client = await connect({ inputRequired: { maxRounds: 1 } });
    const failure = await client.call('need_url').catch((error: unknown) => error);
    if (era === 'modern') expect(client.asked).toEqual(['Log in.']);
    else expect(failure).toMatchObject({ code: -32042, data: { elicitations: [{ elicitationId: 'e2' }] } });
  });

  it('questions without end are ended, and large ones pass', async () => {
    await using client = await connect();
    expect(await client.call('ask_endlessly')).toMatch(/has asked 8 times in one call/);
    expect(client.asked).toHaveLength(8);
    expect(await client.call('ask_much')).toBe('Hello Ada');
    expect(client.asked.at(-1)).toHaveLength(300_000);
  });
});

it('a 2025-era client that vanishes while it is asked leaves nothing behind', async () => {
  const client = await AskingClient.connect(`${hub.url}/mcp/old`, 'legacy');
  let hasBeenAsked = false;
  client.client.setRequestHandler('elicitation/create', () => {
    hasBeenAsked = true;
    return new Promise(() => undefined);
  });
  const calling = client.call('ask_name').catch((error: unknown) => error);
  await eventually('the question', () => hasBeenAsked);
  expect(await count('started')).toBe(2);
  // Without a word to the hub.
  await client.client.close();
  await calling;
  await eventually('the session of its own to end', async () => (await count('ended')) === 1);
});

it('a 2025-era client is told when the page that it opened is done', async () => {
  await using client = await AskingClient.connect(`${hub.url}/mcp/old`, 'legacy');
  expect(await client.call('ask_url')).toBe('You said accept');
  await eventually('the completion', () => client.completed.includes('e1'));
});
