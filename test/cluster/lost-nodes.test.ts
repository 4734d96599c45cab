// A node is killed or frozen: another one takes its servers over, and every client gets the current content.
import { type TestClient, eventually } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { NotesUpstream } from '../hub/notes-upstream.ts';
import { FaultyProxy } from '../support/network/faulty-proxy.ts';
import { describeWith } from '../support/run/needs.ts';
import { postgresNeed } from '../support/service/postgres.ts';
import { freshDatabase } from '../support/service/shared-postgres.ts';
import { eventsSchema } from '../support/wire/strict-answers.ts';
import { timeLimit } from '../support/run/time-limit.ts';
import { NodeProcess, byOwner, ownId } from './cluster-of-processes.ts';

const takeoverMs = 10_000;
const nodeSchema = z.looseObject({ node: z.string() });

async function threeNodes() {
  const upstream = await NotesUpstream.start('modern');
  for (const name of ['a', 'b']) upstream.put(name, 'first');
  const options = { place: await freshDatabase(), config: { servers: [upstream.entry('notes')] } };
  const nodes = await Promise.all([1, 2, 3].map(() => NodeProcess.start(options)));
  return { upstream, nodes: await byOwner(nodes, 'notes') };
}

const updatesOf = async (node: NodeProcess, cursor: string) => {
  const { events, has_gap } = eventsSchema.parse(await node.json(`/api/events?after=${cursor}&limit=1000`));
  const uris = events.flatMap((event) => (event.type === 'resource_update' ? [event.resourceUri] : []));
  return { uris, hasGap: has_gap || events.some(({ type }) => type === 'gap') };
};

/** Reads fail for a moment while the node has no connection to the new owner. */
const untilRead = (client: TestClient, uri: string, text: string) =>
  eventually(`to read ${text}`, async () => (await client.read(uri).catch(() => undefined)) === text);

describeWith(postgresNeed, 'a cluster of three processes', () => {
  it('takes over the servers of a killed node within ten seconds', async () => {
    const { upstream, nodes } = await threeNodes();
    await using _ = upstream;
    const [owner, second, third] = nodes;
    if (!owner || !second || !third) throw new Error('There are three.');
    const clients = [await second.connect('modern'), await third.connect('legacy')];
    for (const client of clients) await client.subscribe('note://a', 'note://b');
    const { cursor } = eventsSchema.parse(await second.json('/api/events?last=1'));
    await owner.kill();
    const killed = performance.now();
    upstream.put('a', 'while no node is connected');
    for (const client of clients) await eventually('to be told', () => client.updates.includes('note://a'));
    expect(performance.now() - killed).toBeLessThan(timeLimit(takeoverMs));
    for (const client of clients) expect(await client.read('note://a')).toBe('while no node is connected');
    await eventually('the journal to tell on every node', async () => {
      const told = await Promise.all([second, third].map((node) => updatesOf(node, cursor)));
      return told.every(({ uris, hasGap }) => hasGap || uris.includes('note://a'));
    });
    upstream.put('b', 'afterwards');
    for (const client of clients) await eventually('to be told', () => client.updates.includes('note://b'));
    for (const client of clients) await client.close();
  });

  it('discards the writes as owner of a node that was frozen and wakes up', async () => {
    const { upstream, nodes } = await threeNodes();
    await using _ = upstream;
    const [owner, second, third] = nodes;
    if (!owner || !second || !third) throw new Error('There are three.');
    const oldClient = await owner.connect('modern');
    await oldClient.subscribe('note://a');
    owner.signal('SIGSTOP');
    const [next] = await byOwner([second, third], 'notes');
    if (!next) throw new Error('One of the two.');
    const { cursor } = eventsSchema.parse(await second.json('/api/events?last=1'));
    upstream.put('a', 'told by the new owner');
    await eventually('the new owner to tell', async () => (await updatesOf(next, cursor)).uris.includes('note://a'));
    owner.signal('SIGCONT');
    await byOwner([next, owner], 'notes');
    await eventually('it to say that it has lost them', () => owner.stderr.includes('The leases of this node ended'));
    const lines = owner.stderr.trim().split('\n');
    expect(new Set(lines.map((line) => nodeSchema.parse(JSON.parse(line)).node))).toEqual(
      new Set([await ownId(owner)]),
    );
    await eventually('the client of the old owner to be told', () => oldClient.updates.includes('note://a'));
    await untilRead(oldClient, 'note://a', 'told by the new owner');
    // The old owner still finds the notification in its socket: it notifies its client, and writes no event.
    upstream.put('b', 'and this');
    await eventually('the next event', async () => (await updatesOf(owner, cursor)).uris.includes('note://b'));
    expect((await updatesOf(next, cursor)).uris.filter((uri) => uri === 'note://a')).toHaveLength(1);
    expect((await updatesOf(owner, cursor)).uris).toEqual((await updatesOf(next, cursor)).uris);
    await oldClient.close();
  });

  it('moves the leases of a node that is cut off from PostgreSQL', async () => {
    await using upstream = await NotesUpstream.start('modern');
    for (const name of ['a', 'b']) upstream.put(name, 'first');
    const place = await freshDatabase();
    const config = { servers: [upstream.entry('notes')] };
    const start = async () => {
      const database = await FaultyProxy.open(place);
      return { database, node: await NodeProcess.start({ place: database.url, config }) };
    };
    const both = await Promise.all([start(), start()]);
    const [owner, other] = await byOwner(
      both.map(({ node }) => node),
      'notes',
    );
    const database = both.find(({ node }) => node === owner)?.database;
    if (!owner || !other || !database) throw new Error('There are two.');
    const client = await owner.connect('modern');
    await client.subscribe('note://a');
    database.affect('stall');
    database.affectNew('stall');
    await byOwner([other], 'notes');
    const { cursor } = eventsSchema.parse(await other.json('/api/events?last=1'));
    upstream.put('a', 'told by the other');
    await eventually('the other to tell', async () => (await updatesOf(other, cursor)).uris.includes('note://a'));
    database.mend();
    await byOwner([other, owner], 'notes');
    await eventually('its client to be told', () => client.updates.includes('note://a'));
    await untilRead(client, 'note://a', 'told by the other');
    // Its writes as owner were discarded.
    upstream.put('b', 'afterwards');
    await eventually('the next event', async () => (await updatesOf(owner, cursor)).uris.includes('note://b'));
    expect((await updatesOf(other, cursor)).uris.filter((uri) => uri === 'note://a')).toHaveLength(1);
    await client.close();
    for (const each of both) await each.node.kill();
    for (const each of both) await each.database.close();
  });
});
