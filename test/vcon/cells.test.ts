// Notifications in each era and on each transport, with two clients: A watches and B acts. Over stdio each has a
// server process of its own; the processes share a folder.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveHttp } from '@tidings/live';
import { type Era, type TestClient, connectHttp, connectStdio, eventually, told } from '@tidings/live/testing';
import { openVcon } from '@tidings/vcon';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NatsServer, natsNeed } from '../support/service/nats.ts';
import { postgresNeed } from '../support/service/postgres.ts';
import { freshDatabase } from '../support/service/shared-postgres.ts';
import { base, supportCall } from './workbench.ts';

interface TwoClients {
  a: TestClient;
  b: TestClient;
  close(): Promise<void>;
}

const program = fileURLToPath(new URL('../../packages/hub/bin/tidings.js', import.meta.url));
const temporaryFolder = () => mkdtemp(join(tmpdir(), 'tidings-vcon-'));

async function overHttp(era: Era): Promise<TwoClients> {
  const place = await temporaryFolder();
  const server = await openVcon({ place });
  const running = await serveHttp(server);
  const [a, b] = await Promise.all([connectHttp(running.url, era), connectHttp(running.url, era)]);
  const close = async () => {
    await Promise.all([a.close(), b.close()]);
    await running.close();
    await server.close();
    await rm(place, { recursive: true });
  };
  return { a, b, close };
}

/** `more`: options that name a database and perhaps a bus. Default: a data folder. */
async function overStdio(era: Era, eraOfB = era, more: readonly string[] = []): Promise<TwoClients> {
  const place = await temporaryFolder();
  const env = { PATH: process.env['PATH'] ?? '', HOME: place };
  const args = [program, 'serve', 'vcon', '--data', place, ...more];
  const command = { command: process.execPath, args, env, stderr: 'ignore' as const };
  const [a, b] = await Promise.all([connectStdio(command, era), connectStdio(command, eraOfB)]);
  const close = async () => {
    await Promise.all([a.close(), b.close()]);
    await rm(place, { recursive: true, maxRetries: 5 });
  };
  return { a, b, close };
}

async function onBus(era: Era, eraOfB: Era): Promise<TwoClients> {
  const nats = await NatsServer.start();
  const clients = await overStdio(era, eraOfB, ['--data', await freshDatabase(), '--bus', nats.url]);
  const close = async () => {
    await clients.close();
    await nats.down();
  };
  return { ...clients, close };
}

const onDatabase = async (era: Era, eraOfB: Era) => overStdio(era, eraOfB, ['--data', await freshDatabase()]);
const nodeCells = [
  { name: 'two nodes on one database, modern and legacy', open: () => onDatabase('modern', 'legacy') },
  { name: 'two nodes on one database, legacy and modern', open: () => onDatabase('legacy', 'modern') },
  ...(natsNeed.isThere
    ? [
        { name: 'two nodes with NATS, modern', open: () => onBus('modern', 'modern') },
        { name: 'two nodes with NATS, legacy and modern', open: () => onBus('legacy', 'modern') },
      ]
    : []),
];

const { uuid } = supportCall;
const uriOf = (path: string) => `${base}/${path}`;
const timesTold = ({ updates }: TestClient, path: string) => updates.filter((uri) => uri === uriOf(path)).length;

describe.each([
  { name: 'modern-http', open: () => overHttp('modern') },
  { name: 'legacy-http', open: () => overHttp('legacy') },
  { name: 'modern-stdio, two processes on one folder', open: () => overStdio('modern') },
  { name: 'legacy-stdio, two processes on one folder', open: () => overStdio('legacy') },
  ...(postgresNeed.isThere ? nodeCells : []),
])('$name', ({ open }) => {
  let clients: TwoClients;
  let a: TestClient;
  let b: TestClient;

  beforeAll(async () => {
    clients = await open();
    ({ a, b } = clients);
    await a.subscribe(...['recent', 'recent/ids/3', 'ids', uuid, `${uuid}/transcript`, `${uuid}/parties`].map(uriOf));
  });

  afterAll(() => clients.close());

  it('notifies of a new conversation, which can then be read', async () => {
    await b.call('create_vcon', supportCall);
    for (const path of ['recent', 'recent/ids/3', 'ids', uuid, `${uuid}/transcript`]) await told(a, uriOf(path));
    expect(JSON.parse(await a.read(uriOf(uuid)))).toEqual(supportCall);
    await eventually('the list to change', () => a.listChanges.length > 0);
    expect(await a.listAll()).toContain(uriOf(uuid));
  });

  it('notifies watchers of resources that depend on a transcript, and of no others', async () => {
    const [transcripts, parties, ids] = [`${uuid}/transcript`, `${uuid}/parties`, 'ids'].map((path) =>
      timesTold(a, path),
    );
    const analysis = { type: 'transcript', vendor: 'x', body: 'and more', encoding: 'none' };
    await b.call('add_analysis', { vcon_uuid: uuid, analysis });
    await told(a, uriOf(`${uuid}/transcript`), transcripts);
    expect(JSON.parse(await a.read(uriOf(`${uuid}/transcript`)))).toMatchObject({ count: 2 });
    expect(timesTold(a, `${uuid}/parties`)).toBe(parties);
    expect(timesTold(a, 'ids')).toBe(ids);
  });

  it('reports a deletion, after which the vCon cannot be read', async () => {
    const [parties, ids] = [timesTold(a, `${uuid}/parties`), timesTold(a, 'ids')];
    await b.call('delete_vcon', { uuid });
    await told(a, uriOf(`${uuid}/parties`), parties);
    await told(a, uriOf('ids'), ids);
    await expect(a.read(uriOf(uuid))).rejects.toThrow('no vCon');
    expect(JSON.parse(await a.read(uriOf('ids')))).toMatchObject({ count: 0, has_more: false });
  });
});
