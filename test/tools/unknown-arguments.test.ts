// Every tool of every server refuses unknown arguments, which would otherwise be ignored silently.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { type LiveServer, serveMemory } from '@tidings/live';
import { openObs } from '@tidings/obs';
import { openSchedules } from '@tidings/schedules';
import { openLibrary, vconServer } from '@tidings/vcon';
import { expect, it, onTestFinished } from 'vitest';
import { silent } from '../obs/workbench.ts';

const servers: Record<string, (folder: string) => Promise<LiveServer>> = {
  obs: async () => openObs({ url: 'ws://127.0.0.1:9', log: silent }),
  schedules: (folder) => openSchedules({ place: folder }),
  vcon: async (folder) => vconServer(await openLibrary(folder)),
};

/** These take the fields of a vCon, which may have any name. */
const takesFields = new Set(['create_vcon', 'update_vcon']);

it.each(Object.entries(servers))('are refused by every tool of %s', async (_name, open) => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-arguments-'));
  const server = await open(folder);
  const client = new Client({ name: 'agent', version: '1.0.0' });
  onTestFinished(async () => {
    await client.close();
    await server.close();
    await rm(folder, { recursive: true });
  });
  await client.connect(serveMemory(server));
  const { tools } = await client.listTools();
  const strict = tools.filter(({ name }) => !takesFields.has(name));
  expect(strict.length).toBeGreaterThan(5);
  for (const { name, inputSchema } of strict) {
    expect([name, inputSchema['additionalProperties']]).toEqual([name, false]);
    const { isError, content } = await client.callTool({ name, arguments: { no_such_thing: 1 } });
    expect([name, isError, JSON.stringify(content)]).toEqual([
      name,
      true,
      expect.stringMatching(/There is no argument \\+"no_such_thing\\+"/),
    ]);
  }
});

it('are refused with the nearest known name', async () => {
  const server = openObs({ url: 'ws://127.0.0.1:9', log: silent });
  const client = new Client({ name: 'agent', version: '1.0.0' });
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  await client.connect(serveMemory(server));
  const answer = await client.callTool({ name: 'set_input_mute', arguments: { input: 'Mic', muted: true, mutd: 1 } });
  expect(JSON.stringify(answer.content)).toContain('did you mean \\"muted\\"?');
});
