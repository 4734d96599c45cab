// 2025-era servers that check their client's capabilities, with `sessionPerCaller`: each caller has a session, here a
// process, with its own capabilities.
import { createRequire } from 'node:module';
import type { CommandEntry } from '@tidings/track';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixture } from '../support/program/bundled-program.ts';
import { AskingClient, type AskingClientOptions } from './asking-client.ts';
import { type RunningHub, runningHub } from './running-hub.ts';

const everything = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
const asking = await fixture('asking-server-1.js');
const started = (id: string, args: string[], sessionPerCaller: boolean): CommandEntry => ({
  id,
  command: process.execPath,
  args,
  env: {},
  enabled: true,
  trackResources: false,
  sessionPerCaller,
});

let hub: RunningHub;
beforeAll(async () => {
  const servers = [
    started('everything', [everything, 'stdio'], true),
    started('asking', [asking], true),
    started('shared', [asking], false),
  ];
  hub = await runningHub({ servers });
  await hub.isLive('everything', 'asking', 'shared');
});
afterAll(() => hub[Symbol.asyncDispose]());

describe.each(['modern', 'legacy'] as const)('for a %s client', (era) => {
  const connect = (id: string, options?: AskingClientOptions) =>
    AskingClient.connect(`${hub.url}/mcp/${id}`, era, options);

  it('a tool with an optional question asks a caller that can be asked', async () => {
    await using shared = await connect('shared');
    expect(await shared.call('ask_if_able')).toBe('Hello, whoever you are.');
    await using client = await connect('asking');
    expect(await client.call('ask_if_able')).toBe('Hello Ada');
    expect(client.asked).toEqual(['Who?']);
  });

  it('a caller that cannot be asked gets the same result as from the server itself', async () => {
    await using client = await connect('asking', { capabilities: {} });
    expect(await client.call('ask_if_able')).toBe('Hello, whoever you are.');
  });

  it('two callers at once have their own capabilities', async () => {
    await using able = await connect('asking', { name: 'Ada' });
    await using unable = await connect('asking', { capabilities: { sampling: {} }, info: 'another' });
    const answers = await Promise.all([able.call('ask_if_able'), unable.call('ask_if_able'), unable.call('ask_model')]);
    expect(answers).toEqual(['Hello Ada', 'Hello, whoever you are.', 'The model says yes, Ada']);
  });

  it('tools that are listed only for clients that can be asked are offered', async () => {
    await using client = await connect('everything');
    const { tools } = await client.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['get-roots-list', 'trigger-elicitation-request', 'trigger-sampling-request', 'echo']),
    );
    const { content } = await client.client.callTool({
      name: 'trigger-sampling-request',
      arguments: { prompt: 'Well?' },
    });
    expect(JSON.stringify(content)).toContain('yes, Ada');
  });
});
