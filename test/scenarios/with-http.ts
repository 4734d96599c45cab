// The session fixture over HTTP in this process, with access to its tools.
import type { LiveServer, LiveServerOptions } from '@tidings/live';
import type { Cell } from '../cells.ts';
import { type Front, type FrontOptions, serveNode, serveWeb } from '../support/network/http-front.ts';
import type { Kit } from '../support/kit.ts';

export interface HttpFixture extends AsyncDisposable {
  url: string;
  server: LiveServer;
  running: Front;
  /** Calls one of the fixture's tools, without a client. */
  call(tool: string, args: Record<string, unknown>): Promise<void>;
}

const silentLog = { warn: () => undefined, error: () => undefined };

export async function withHttp(
  cell: Cell,
  kit: Kit,
  options: Partial<LiveServerOptions> = {},
  http: FrontOptions = {},
): Promise<HttpFixture> {
  const server = kit.testing.sessionFixture({ log: silentLog, ...options });
  return serve(cell, kit, server, http);
}

export async function serve(
  { name }: Cell,
  kit: Kit,
  server: LiveServer,
  http: FrontOptions = {},
): Promise<HttpFixture> {
  const running = name.endsWith('-web') ? await serveWeb(kit, server, http) : await serveNode(kit, server, http);
  const control = kit.testing.connectMemory(server, 'legacy');
  return {
    url: running.url,
    server,
    running,
    call: async (tool, args) => {
      await (await control).call(tool, args);
    },
    [Symbol.asyncDispose]: async () => {
      await (await control).close();
      await running.close();
    },
  };
}
