// The session fixture over HTTP in this process, with a hand on its tools.
import type { HttpOptions, LiveServer, LiveServerOptions, RunningServer } from '@tidings/live';
import type { Kit } from '../support/kit.ts';

export interface HttpFixture extends AsyncDisposable {
  url: string;
  server: LiveServer;
  running: RunningServer;
  /** Calls one of the fixture's tools, without a client. */
  call(tool: string, args: Record<string, unknown>): Promise<void>;
}

const silentLog = { warn: () => undefined, error: () => undefined };

export async function withHttp(
  kit: Kit,
  options: Partial<LiveServerOptions> = {},
  http: HttpOptions = {},
): Promise<HttpFixture> {
  const server = kit.testing.sessionFixture({ log: silentLog, ...options });
  return serve(kit, server, http);
}

export async function serve(kit: Kit, server: LiveServer, http: HttpOptions = {}): Promise<HttpFixture> {
  const running = await kit.live.serveHttp(server, http);
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
