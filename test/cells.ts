// The matrix: every requirement is proved for each era over each transport, with the clients people
// really have.
import { fileURLToPath } from 'node:url';
import type { Era, TestClient } from '@tidings/live/testing';
import type { Kit } from './support/kit.ts';
import { connectOldHttp, connectOldStdio } from './support/wire/old-sdk-client.ts';

/** Over HTTP: Node's face of the endpoint, and the web-standard one. */
export const modernOverHttp = ['modern-http', 'modern-web'] as const;
export const legacyOverHttp = ['legacy-http', 'legacy-web'] as const;
export const overHttp = [...modernOverHttp, ...legacyOverHttp] as const;
export const cellNames = [...overHttp, 'modern-stdio', 'legacy-stdio'] as const;
export type CellName = (typeof cellNames)[number];

interface OpenCell extends AsyncDisposable {
  client: TestClient;
}

export interface Cell {
  name: CellName;
  /** Whose client is used. */
  client: 'SDK 2' | 'SDK 1';
  era: Era;
  open(kit: Kit): Promise<OpenCell>;
}

const fixture = fileURLToPath(new URL('fixtures/stdio-server.js', import.meta.url));

function httpCell(era: Era, client: Cell['client'], connect: (kit: Kit, url: string) => Promise<TestClient>): Cell {
  return {
    name: `${era}-http`,
    client,
    era,
    open: async (kit) => {
      const server = kit.testing.sessionFixture({ log: silentLog });
      const running = await kit.live.serveHttp(server);
      const connected = await connect(kit, running.url);
      return {
        client: connected,
        [Symbol.asyncDispose]: async () => {
          await connected.close();
          await running.close();
        },
      };
    },
  };
}

/** Without a socket: the client's requests go straight to the endpoint. */
function webCell(era: Era): Cell {
  return {
    name: `${era}-web`,
    client: 'SDK 2',
    era,
    open: async (kit) => {
      const endpoint = kit.live.webEndpoint(kit.testing.sessionFixture({ log: silentLog }));
      const client = await kit.testing.connectFetch(endpoint.fetch, era);
      return {
        client,
        [Symbol.asyncDispose]: async () => {
          await client.close();
          await endpoint.close();
        },
      };
    },
  };
}

/** Both ends in this process: a process for each scenario would take most of the time of all of them. */
function pipesCell(era: Era): Cell {
  return {
    name: `${era}-stdio`,
    client: 'SDK 2',
    era,
    open: async (kit) => {
      const client = await kit.testing.connectPipes(kit.testing.sessionFixture({ log: silentLog }), era);
      return { client, [Symbol.asyncDispose]: () => client.close() };
    },
  };
}

/** The real thing, with the clients that are deployed. */
function processCell(): Cell {
  return {
    name: 'legacy-stdio',
    client: 'SDK 1',
    era: 'legacy',
    open: async (kit) => {
      const client = await connectOldStdio(stdioCommand(kit));
      return { client, [Symbol.asyncDispose]: () => client.close() };
    },
  };
}

export interface StdioCommand {
  command: string;
  args: string[];
  env: Record<string, string>;
  stderr: 'ignore';
}

export function stdioCommand(kit: Kit): StdioCommand {
  const env = { PATH: process.env['PATH'] ?? '', ...(kit.folder !== undefined && { TIDINGS_KIT: kit.folder }) };
  return { command: process.execPath, args: [fixture], env, stderr: 'ignore' };
}

const silentLog = { warn: () => undefined, error: () => undefined };

export const cells: readonly Cell[] = [
  httpCell('modern', 'SDK 2', (kit, url) => kit.testing.connectHttp(url, 'modern')),
  httpCell('legacy', 'SDK 2', (kit, url) => kit.testing.connectHttp(url, 'legacy')),
  httpCell('legacy', 'SDK 1', (_kit, url) => connectOldHttp(url)),
  webCell('modern'),
  webCell('legacy'),
  pipesCell('modern'),
  pipesCell('legacy'),
  processCell(),
];
