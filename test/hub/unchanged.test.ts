// Responses through `/mcp/{serverId}` compared with those of the server itself, field by field, in both eras.
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LiveServer, httpEndpoint } from '@tidings/live';
import type { Era } from '@tidings/live/testing';
import type { CommandEntry, ServerEntry, UrlEntry } from '@tidings/track';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixtureServer } from '../conformance/fixture-server.ts';
import { legacyOnly } from '../support/wire/legacy-only.ts';
import { WireClient } from '../support/wire/wire-client.ts';
import { type RunningHub, runningHub } from './running-hub.ts';
import { type Asked, comparable, introduced } from './comparable-answers.ts';
import { askedOf } from './asked-of-servers.ts';

const { resolve } = createRequire(import.meta.url);
const everything = resolve('@modelcontextprotocol/server-everything/dist/index.js');
const memory = resolve('@modelcontextprotocol/server-memory/dist/index.js');
const filesystem = resolve('@modelcontextprotocol/server-filesystem/dist/index.js');
const eras = ['modern', 'legacy'] as const;

let folder: string;
let hub: RunningHub;
const entries = new Map<string, ServerEntry>();
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'tidings-unchanged-')));
  await mkdir(join(folder, 'files'));
  await writeFile(join(folder, 'files', 'note.txt'), 'A note.\n');
  const program = (id: string, args: string[], env: Record<string, string> = {}): CommandEntry => ({
    id,
    command: process.execPath,
    args,
    env,
    enabled: true,
    trackResources: false,
  });
  const all = [
    program('everything', [everything, 'stdio']),
    program('memory', [memory], {
      MEMORY_FILE_PATH: join(folder, 'graph.jsonl'),
    }),
    program('filesystem', [filesystem, join(folder, 'files')]),
    await serving('conformance', fixtureServer(), 'modern'),
    await serving('conformance-2025', fixtureServer(), 'legacy'),
  ];
  for (const entry of all) entries.set(entry.id, entry);
  hub = await runningHub({ servers: all });
  await hub.isLive(...all.map(({ id }) => id));
});
afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  for (const close of closing) await close();
  await rm(folder, { recursive: true, maxRetries: 5 });
});

const servers = ['everything', 'memory', 'filesystem', 'conformance', 'conformance-2025'];

describe.each(servers)('%s', (id) => {
  describe.each(eras)('to a %s client', (era) => {
    const both = async (): Promise<[WireClient, WireClient]> => {
      const entry = entries.get(id) ?? expect.fail();
      // A server of one era is compared in that era.
      const direct = await WireClient.direct(entry, id === 'conformance' ? era : 'legacy');
      return [direct, await WireClient.http(`${hub.url}/mcp/${id}`, era)];
    };

    it('has the same introduction', async () => {
      const [direct, through] = await both();
      await using _direct = direct;
      await using _through = through;
      const { capabilities: expected, ...expectedInfo } = introduced(await direct.introduction());
      const { capabilities, ...info } = introduced(await through.introduction());
      expect(info).toEqual(expectedInfo);
      // The hub adds live resources and lists, and completion; tasks differ.
      const { tasks: _tasks, ...others } = Object(expected);
      expect(capabilities).toMatchObject(others);
    });

    it('has the same responses', async () => {
      const [direct, through] = await both();
      await using _direct = direct;
      await using _through = through;
      for (const asked of await allOf(direct, id)) {
        const [method, params] = asked;
        const [expected, given] = [await direct.ask(method, params), await through.ask(method, params)];
        const name = `${method} ${JSON.stringify(params ?? {})}`;
        expect.soft(comparable(asked, given, era), name).toEqual(comparable(asked, expected, era));
      }
    });
  });
});

/** The lists, all listed items, and the requests that are specific to this server. */
async function allOf(direct: WireClient, id: string): Promise<Asked[]> {
  const { tools, prompts, resources } = direct.client.getServerCapabilities() ?? {};
  const asked: Asked[] = [];
  if (tools) asked.push(['tools/list']);
  if (prompts) asked.push(['prompts/list']);
  if (resources) {
    asked.push(['resources/list'], ['resources/templates/list']);
    const listed = await direct.client.listResources();
    for (const { uri } of listed.resources.slice(0, 10)) asked.push(['resources/read', { uri }]);
  }
  return [...asked, ...askedOf(id, join(folder, 'files'))];
}

async function serving(id: string, server: LiveServer, era: Era): Promise<UrlEntry> {
  const endpoint = httpEndpoint(server);
  const http = createServer(
    era === 'legacy' ? legacyOnly(endpoint.handle) : (req, res) => void endpoint.handle(req, res),
  );
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    await endpoint.close();
    http.closeAllConnections();
    await new Promise((resolve) => void http.close(resolve));
    await server.close();
  });
  const address = http.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return { id, url: `http://127.0.0.1:${port}/mcp`, headers: {}, enabled: true, trackResources: false };
}
