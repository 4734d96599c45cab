// Clients of either era over HTTP and stdio, on one OBS.
import { fileURLToPath } from 'node:url';
import { serveHttp } from '@tidings/live';
import { type Era, type TestClient, connectHttp, connectStdio, eventually } from '@tidings/live/testing';
import { openObs } from '@tidings/obs';
import type { ObsUnderTest } from '../support/service/obs-under-test.ts';
import { silent, status } from './workbench.ts';

export interface OpenCell extends AsyncDisposable {
  client: TestClient;
}

interface ObsCell {
  name: string;
  open(this: void, obs: ObsUnderTest): Promise<OpenCell>;
}

const program = fileURLToPath(new URL('../../packages/hub/bin/tidings.js', import.meta.url));

async function overHttp(obs: ObsUnderTest, era: Era): Promise<OpenCell> {
  const server = openObs({ url: obs.url, password: obs.password, log: silent });
  const running = await serveHttp(server);
  const client = await connectHttp(running.url, era);
  await untilConnected(client);
  return {
    client,
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await running.close();
      await server.close();
    },
  };
}

async function overStdio(obs: ObsUnderTest, era: Era): Promise<OpenCell> {
  const env = { PATH: process.env['PATH'] ?? '', TIDINGS_OBS_URL: obs.url, TIDINGS_OBS_PASSWORD: obs.password };
  const command = { command: process.execPath, args: [program, 'serve', 'obs'], env, stderr: 'ignore' as const };
  const client = await connectStdio(command, era);
  await untilConnected(client);
  return { client, [Symbol.asyncDispose]: () => client.close() };
}

async function untilConnected(client: TestClient): Promise<void> {
  await eventually(
    'OBS to be connected',
    async () => status.parse(JSON.parse(await client.read('obs://status'))).connected,
  );
}

export const obsCells: readonly ObsCell[] = [
  { name: 'modern-http', open: (obs) => overHttp(obs, 'modern') },
  { name: 'legacy-http', open: (obs) => overHttp(obs, 'legacy') },
  { name: 'modern-stdio', open: (obs) => overStdio(obs, 'modern') },
  { name: 'legacy-stdio', open: (obs) => overStdio(obs, 'legacy') },
];
