// Third-party servers behind the gateway, with clients as hosts have them: SDK 2 in both eras, and SDK 1.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type TestClient, eventually, told } from '@tidings/live/testing';
import type { CommandEntry } from '@tidings/track';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectOldHttp } from '../support/wire/old-sdk-client.ts';
import { type RunningHub, runningHub } from './running-hub.ts';

const packages = fileURLToPath(new URL('../../node_modules/@modelcontextprotocol', import.meta.url));
const graph = 'memory://knowledge-graph';

let folder: string;
let hub: RunningHub;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidings-real-hub-'));
  const entry = (id: string, args: string[], env: Record<string, string> = {}): CommandEntry => {
    const program = join(packages, `server-${id}`, 'dist', 'index.js');
    return { id, command: process.execPath, args: [program, ...args], env, enabled: true, trackResources: false };
  };
  hub = await runningHub({
    servers: [entry('everything', ['stdio']), entry('memory', [], { MEMORY_FILE_PATH: join(folder, 'graph.jsonl') })],
  });
  // A list does not wait long for servers that are still starting.
  await hub.isLive('everything', 'memory');
});
afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, maxRetries: 5 });
});

const connects: Record<string, () => Promise<TestClient>> = {
  'SDK 2, 2026': () => hub.connect('modern'),
  'SDK 2, 2025': () => hub.connect('legacy'),
  'SDK 1': () => connectOldHttp(`${hub.url}/mcp`),
};

async function sdkClient(mode: 'auto' | 'legacy', path = '/mcp'): Promise<Client> {
  const capabilities = { elicitation: {}, sampling: {}, roots: {} };
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode }, capabilities });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${hub.url}${path}`)));
  return client;
}

describe.each(Object.keys(connects))('a client of %s', (name) => {
  it('lists at once, reads, subscribes and gets notifications', async () => {
    const client = (await connects[name]?.()) ?? expect.fail();
    const listed = await client.listAll();
    expect(listed).toContain(graph);
    expect(listed.length).toBeGreaterThan(5);
    expect((await client.subscribe(graph)).honored).toEqual([graph]);
    const person = `Ada of ${name}`;
    const entities = [{ name: person, entityType: 'person', observations: [] }];
    expect(await client.call('memory_create_entities', { entities })).toContain(person);
    await told(client, graph);
    expect(await client.read(graph)).toContain(person);
    const document = listed.find((uri) => uri !== graph) ?? '';
    expect(await client.read(document)).not.toBe('');
    await expect(client.read('memory://nothing')).rejects.toThrow();
    await client.close();
  });
});

describe.each(['auto', 'legacy'] as const)('through the gateway, in mode %s,', (mode) => {
  it('tools have the server descriptions, under names that hosts accept', async () => {
    const [through, alone] = await Promise.all([sdkClient(mode), sdkClient(mode, '/mcp/everything')]);
    const { tools } = await through.listTools();
    const direct = await hub.hub.tracker.upstream('everything').use((client) => client.listTools());
    expect(tools.every((tool) => /^[\w-]{1,64}$/.test(tool.name))).toBe(true);
    for (const { execution, ...tool } of direct.tools) {
      expect(tools.find((each) => each.name === `everything_${tool.name}`)).toEqual({
        ...tool,
        // The modern era has no such field.
        ...(mode === 'legacy' && { execution }),
        name: `everything_${tool.name}`,
      });
    }
    expect((await alone.listTools()).tools.map((tool) => tool.name)).toEqual(direct.tools.map((tool) => tool.name));
    // Tools that would ask the client are offered only to clients that can be asked.
    expect(tools.filter((tool) => /sampling|elicit|roots-list/.test(tool.name))).toEqual([]);
    await through.close();
    await alone.close();
  });

  it('results are passed on unchanged', async () => {
    const client = await sdkClient(mode);
    const call = (name: string, args: Record<string, unknown> = {}) =>
      client.callTool({ name: `everything_${name}`, arguments: args });
    const direct = (name: string, args: Record<string, unknown> = {}) =>
      hub.hub.tracker.upstream('everything').use((shared) => shared.callTool({ name, arguments: args }));
    for (const [name, args] of [
      ['get-tiny-image', {}],
      ['get-structured-content', { location: 'New York' }],
      ['get-resource-reference', { resourceType: 'Text', resourceId: 1 }],
      ['get-resource-links', { count: 2 }],
      ['get-annotated-message', { messageType: 'error', includeImage: true }],
      ['get-sum', { a: 'no number', b: 2 }],
      ['get-structured-content', { location: 'Atlantis' }],
    ] as const) {
      const [through, before] = [await call(name, args), await direct(name, args)];
      expect(withoutTime(through.content), name).toEqual(withoutTime(before.content));
      expect(through.structuredContent, name).toEqual(before.structuredContent);
      expect(through.isError ?? false, name).toBe(before.isError ?? false);
    }
    const { content } = await call('get-resource-links', { count: 2 });
    for (const link of content.filter((each) => each.type === 'resource_link')) {
      expect((await client.readResource({ uri: link.uri })).contents).toHaveLength(1);
    }
    await client.close();
  });

  it('progress, prompts, templates and completion are passed on', async () => {
    const client = await sdkClient(mode);
    // An SDK client drops progress that arrives together with the response, as it may on a busy machine.
    await eventually('progress', async () => {
      const progress: number[] = [];
      await client.callTool(
        { name: 'everything_trigger-long-running-operation', arguments: { duration: 0.2, steps: 4 } },
        { onprogress: (each) => void progress.push(each.progress) },
      );
      return progress.length >= 3;
    });
    const { prompts } = await client.listPrompts();
    expect(prompts.map((prompt) => prompt.name)).toContain('everything_args-prompt');
    const prompt = await client.getPrompt({ name: 'everything_args-prompt', arguments: { city: 'Oslo' } });
    expect(JSON.stringify(prompt.messages)).toContain('Oslo');
    await expect(client.getPrompt({ name: 'everything_args-prompt' })).rejects.toMatchObject({ code: -32602 });
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.length).toBeGreaterThan(0);
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'everything_completable-prompt' },
      argument: { name: 'department', value: 'E' },
    });
    expect(completion.values).toEqual(['Engineering']);
    await client.close();
  });
});

/** Removes times, because some results contain the current time. */
function withoutTime(content: unknown): string {
  return JSON.stringify(content).replaceAll(/\d{1,2}:\d{2}:\d{2}( [AP]M)?/g, 'now');
}
