// The view of a node's clients of a server while another node takes it over, or hands it to this one.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@tidings/live/testing';
import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { NotesUpstream } from '../hub/notes-upstream.ts';
import { type RunningHub, runningHub } from '../hub/running-hub.ts';
import { ScriptedServer } from '../track/scripted-server.ts';
import { freePort } from '../support/network/free-port.ts';
import { describeWith } from '../support/run/needs.ts';
import { postgresNeed } from '../support/service/postgres.ts';
import { freshDatabase } from '../support/service/shared-postgres.ts';

const uris = ['note://a', 'note://b', 'note://c'];

/** The node that is connected to the server, and the other one. */
async function twoNodes(upstream: NotesUpstream): Promise<{ owner: RunningHub; follower: RunningHub }> {
  for (const name of ['a', 'b', 'c']) upstream.put(name, 'first');
  const options = { place: await freshDatabase(), servers: [upstream.entry('notes')] };
  const one = await runningHub({ ...options, node: 'one' });
  onTestFinished(() => one[Symbol.asyncDispose]());
  const two = await runningHub({ ...options, node: 'two' });
  onTestFinished(() => two[Symbol.asyncDispose]());
  const isConnected = ({ hub }: RunningHub) => hub.tracker.upstream('notes').status().state === 'live';
  await eventually('both to be connected, one through the other', () => isConnected(one) && isConnected(two));
  return one.hub.tracker.owns('notes') ? { owner: one, follower: two } : { owner: two, follower: one };
}

describeWith(postgresNeed, 'another role of a node', () => {
  it('keeps its list for clients until the new list is known', async () => {
    await using upstream = await NotesUpstream.start('modern');
    const { owner, follower } = await twoNodes(upstream);
    const shown: string[][] = [];
    const show = ({ hub }: RunningHub) => {
      const { catalog } = hub.tracker.upstream('notes');
      shown.push(
        [...catalog.resources.keys()],
        catalog.templates.map(({ uriTemplate }) => uriTemplate),
      );
    };
    const replaced = [owner, follower].map(
      (node) =>
        new Promise<void>((resolve) => {
          node.hub.tracker.onReplaced(() => {
            show(node);
            resolve();
          });
        }),
    );
    await owner.hub.tracker.retire();
    await Promise.all(replaced);
    expect(shown).toEqual([uris, ['note://{name}'], uris, ['note://{name}']]);
  });

  it('is freed if the server is removed from the configuration meanwhile', async () => {
    const port = await freePort();
    const upstream = await NotesUpstream.start('modern', 'note', port);
    const { owner, follower } = await twoNodes(upstream);
    await upstream[Symbol.asyncDispose]();
    const silent = await silentServer(port);
    const { tracker } = follower.hub;
    await owner.hub.close();
    const earlier = silent.requests;
    await eventually('the takeover to wait for the server', () => silent.requests > earlier);
    expect(tracker.owns('notes')).toBe(false);
    const gauges = async () => (await tracker.metrics()).split('\n').filter((line) => /_up\{.*"notes"/.test(line));
    expect(await gauges()).toHaveLength(1);
    tracker.apply({ servers: [], tokens: [] });
    silent.close();
    await follower.hub.close();
    expect(await gauges()).toEqual([]);
  });

  it('with a new number of its lease does not run the server process twice', async () => {
    await using server = await ScriptedServer.create({ resources: { 'a://1': 'one' } });
    const folder = await mkdtemp(join(tmpdir(), 'tidings-runs-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const runs = join(folder, 'runs');
    const { command, args, ...entry } = server.entry('odd');
    // On a busy machine, the server may be sent SIGTERM with its whole group: the shell still writes its line.
    const script = 'trap : TERM; echo begins >> "$0"; "$@"; echo ends >> "$0"';
    const logged = { ...entry, command: '/bin/sh', args: ['-c', script, runs, command, ...args] };
    const place = await freshDatabase();
    await using node = await runningHub({ place, servers: [logged], node: 'one' });
    const { tracker } = node.hub;
    const isLive = () => tracker.owns('odd') && tracker.upstream('odd').status().state === 'live';
    await eventually('the server to be followed', isLive);
    const before = tracker.upstream('odd');
    const database = new Client(place);
    await database.connect();
    // Another node has held the lease for a moment.
    await database.query('update tidings_tracker.lease set fence = fence + 1');
    await database.end();
    await tracker.cluster?.leases.look();
    await eventually('the server to be followed again', () => tracker.upstream('odd') !== before && isLive());
    await eventually('the first process to have ended', async () => (await readFile(runs, 'utf8')).includes('ends'));
    expect(await readFile(runs, 'utf8')).toBe('begins\nends\nbegins\n');
  });
});

interface SilentServer {
  /** The number of requests so far. */
  readonly requests: number;
  close(): void;
}

/** A server that never responds. */
async function silentServer(port: number): Promise<SilentServer> {
  let requests = 0;
  const http = createServer(() => (requests += 1));
  await new Promise<void>((resolve) => void http.listen(port, '127.0.0.1', resolve));
  const close = () => {
    http.close();
    http.closeAllConnections();
  };
  onTestFinished(close);
  return {
    close,
    get requests() {
      return requests;
    },
  };
}
