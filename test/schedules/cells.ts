// Two clients of the schedules server: A watches, B acts. Over HTTP they share one server; over stdio
// each has a process of its own, and the processes share a data folder.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveHttp } from '@tidings/live';
import { type Era, type TestClient, connectHttp, connectStdio } from '@tidings/live/testing';
import { openSchedules } from '@tidings/schedules';
import { NatsServer, natsNeed } from '../support/service/nats.ts';
import { NtfyReceiver } from '../support/counterpart/ntfy-receiver.ts';
import { postgresNeed } from '../support/service/postgres.ts';
import { variants } from '../support/run/proof-size.ts';
import { freshDatabase } from '../support/service/shared-postgres.ts';

export interface TwoClients extends AsyncDisposable {
  a: TestClient;
  b: TestClient;
}

export interface TwoClientCell {
  name: string;
  open(this: void): Promise<TwoClients>;
}

const program = fileURLToPath(new URL('../../packages/hub/bin/tidings.js', import.meta.url));

export function scheduleCommand(data: string, ntfyUrl: string) {
  const args = [program, 'serve', 'schedules', '--data', data, '--ntfy-url', ntfyUrl];
  const env = { PATH: process.env['PATH'] ?? '', HOME: data };
  return { command: process.execPath, args, env, stderr: 'ignore' as const };
}

export async function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'tidings-schedules-'));
}

async function overHttp(era: Era): Promise<TwoClients> {
  const [data, ntfy] = [await temporaryFolder(), await NtfyReceiver.start()];
  const server = await openSchedules({ place: data, ntfyUrl: ntfy.url });
  const running = await serveHttp(server);
  const [a, b] = await Promise.all([connectHttp(running.url, era), connectHttp(running.url, era)]);
  return {
    a,
    b,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([a.close(), b.close()]);
      await running.close();
      await server.close();
      await ntfy[Symbol.asyncDispose]();
      await rm(data, { recursive: true });
    },
  };
}

/** `place`: options that name a database and perhaps a bus. Default: a data folder. */
async function overStdio(eraOfA: Era, eraOfB: Era, place: readonly string[] = []): Promise<TwoClients> {
  const [data, ntfy] = [await temporaryFolder(), await NtfyReceiver.start()];
  const folder = scheduleCommand(data, ntfy.url);
  const command = { ...folder, args: [...folder.args, ...place] };
  const [a, b] = await Promise.all([connectStdio(command, eraOfA), connectStdio(command, eraOfB)]);
  return {
    a,
    b,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([a.close(), b.close()]);
      await ntfy[Symbol.asyncDispose]();
      await rm(data, { recursive: true, maxRetries: 5 });
    },
  };
}

async function onDatabase(eraOfA: Era, eraOfB: Era): Promise<TwoClients> {
  return overStdio(eraOfA, eraOfB, ['--data', await freshDatabase()]);
}

async function onBus(eraOfA: Era, eraOfB: Era): Promise<TwoClients> {
  const nats = await NatsServer.start();
  const clients = await overStdio(eraOfA, eraOfB, ['--data', await freshDatabase(), '--bus', nats.url]);
  return {
    ...clients,
    [Symbol.asyncDispose]: async () => {
      await clients[Symbol.asyncDispose]();
      await nats.down();
    },
  };
}

/** Two processes that share a PostgreSQL database. */
const nodeCells: readonly TwoClientCell[] = [
  { name: 'two nodes on one database, legacy and modern', open: () => onDatabase('legacy', 'modern') },
  ...(natsNeed.isThere
    ? [
        { name: 'two nodes with NATS, modern', open: () => onBus('modern', 'modern') },
        { name: 'two nodes with NATS, legacy and modern', open: () => onBus('legacy', 'modern') },
      ]
    : []),
];

/** `npm test` tries each era, transport and store once; `npm run prove` tries their combinations. */
export const twoClientCells = variants<TwoClientCell>({
  test: [
    { name: 'modern-http', open: () => overHttp('modern') },
    { name: 'legacy-http', open: () => overHttp('legacy') },
    { name: 'an old client and a new one, two processes on one folder', open: () => overStdio('legacy', 'modern') },
    ...(postgresNeed.isThere
      ? [{ name: 'two nodes on one database, modern and legacy', open: () => onDatabase('modern', 'legacy') }]
      : []),
  ],
  prove: [
    { name: 'modern-stdio, two processes on one folder', open: () => overStdio('modern', 'modern') },
    { name: 'legacy-stdio, two processes on one folder', open: () => overStdio('legacy', 'legacy') },
    ...(postgresNeed.isThere ? nodeCells : []),
  ],
});
