// Two hubs on one database: one of them is connected to each server, and clients notice no difference.
import { systemClock } from '@tidings/live';
import { eventually } from '@tidings/live/testing';
import { openTracker } from '@tidings/track';
import { expect, it } from 'vitest';
import { openAuditTrail } from '../../packages/hub/src/audit/open-audit.ts';
import { NotesUpstream } from '../hub/notes-upstream.ts';
import { type RunningHub, type RunningHubOptions, runningHub } from '../hub/running-hub.ts';
import { ScriptedServer } from '../track/scripted-server.ts';
import { freePort } from '../support/network/free-port.ts';
import { describeWith } from '../support/run/needs.ts';
import { postgresNeed } from '../support/service/postgres.ts';
import { ScriptedIssuer } from '../support/counterpart/scripted-issuer.ts';
import { freshDatabase } from '../support/service/shared-postgres.ts';
import { eventsSchema } from '../support/wire/strict-answers.ts';

const eras = ['modern', 'legacy'] as const;

interface TwoNodes extends AsyncDisposable {
  upstream: NotesUpstream;
  place: string;
  /** The node that is connected to the server, and the other one. */
  owner: RunningHub;
  follower: RunningHub;
}

async function twoNodes(
  era: 'modern' | 'legacy' = 'modern',
  access: Pick<RunningHubOptions, 'token' | 'config' | 'env'> = {},
): Promise<TwoNodes> {
  const upstream = await NotesUpstream.start(era);
  for (const name of ['a', 'b', 'c']) upstream.put(name, 'first');
  const place = await freshDatabase();
  const options = { place, servers: [upstream.entry('notes')], ...access };
  const one = await runningHub({ ...options, node: 'one' });
  const two = await runningHub({ ...options, node: 'two' });
  // Each node's own connection; the status of `/api/servers` is the owner's.
  const isConnected = ({ hub }: RunningHub) => hub.tracker.upstream('notes').status().state === 'live';
  await eventually('both to be connected, one through the other', () => isConnected(one) && isConnected(two));
  const [owner, follower] = one.hub.tracker.owns('notes') ? [one, two] : [two, one];
  return {
    upstream,
    place,
    owner,
    follower,
    [Symbol.asyncDispose]: async () => {
      await follower[Symbol.asyncDispose]();
      await owner[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

describeWith(postgresNeed, 'two nodes on one database', () => {
  for (const era of eras) {
    it(`connect to a ${era} server once, and clients of the other node list, read, call and are notified`, async () => {
      await using nodes = await twoNodes(era);
      const { upstream, owner, follower } = nodes;
      expect(owner.hub.tracker.owns('notes') && !follower.hub.tracker.owns('notes')).toBe(true);
      for (const clientEra of eras) {
        const client = await follower.connect(clientEra);
        expect(await client.listAll()).toEqual(['note://a', 'note://b', 'note://c']);
        expect(await client.read('note://a')).toBe(upstream.notes.get('a'));
        const { honored } = await client.subscribe('note://a');
        expect(honored).toEqual(['note://a']);
        await client.call('notes_put_note', { name: 'a', text: `by ${clientEra}` });
        await eventually('the update', () => client.updates.includes('note://a'));
        expect(await client.read('note://a')).toBe(`by ${clientEra}`);
        await client.close();
      }
    });
  }

  it('accept access tokens of an issuer at any of them, for what they grant', async () => {
    await using issuer = await ScriptedIssuer.start();
    const audience = 'https://tidings.example.com/mcp';
    const grants = [{ scope: 'write', tools: ['notes_*'] }, { allow: ['note://a'] }];
    const config = { oauth: { issuers: [{ issuer: issuer.issuer, audience, grants }] } };
    await using nodes = await twoNodes('modern', { token: 'whole', config });
    const narrow = await issuer.token({ aud: audience });
    const wide = await issuer.token({ aud: audience, scope: 'write' });
    for (const node of [nodes.owner, nodes.follower]) {
      for (const era of eras) {
        const reader = await node.connect(era, '/mcp', narrow);
        expect(await reader.listAll()).toEqual(['note://a']);
        await expect(reader.read('note://b')).rejects.toThrow();
        await reader.close();
        const writer = await node.connect(era, '/mcp', wide);
        await writer.subscribe('note://b');
        await writer.call('notes_put_note', { name: 'b', text: `by ${era}` });
        await eventually('the update', () => writer.updates.includes('note://b'));
        await writer.close();
      }
      for (const path of ['/node/mcp/notes', '/node/api/servers/notes/restart']) {
        const headers = { authorization: `Bearer ${wide}`, 'content-type': 'application/json' };
        const answer = await fetch(`${node.url}${path}`, { method: 'POST', headers, body: '{}' });
        expect(answer.status, path).toBe(404);
      }
    }
  });

  it.each([{ body: '{}' }, {}])('restart a server on request at any of them: %j', async (given) => {
    await using nodes = await twoNodes();
    const { journal } = nodes.owner.hub.tracker;
    const { cursor } = journal;
    const path = '/api/servers/notes/restart';
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${nodes.follower.url}${path}`, { method: 'POST', headers, ...given });
    expect(response.status).toBe(200);
    await eventually('the owner to connect anew', () =>
      journal.read({ after: cursor, limit: 100 }).entries.some(({ event }) => event.type === 'server_state'),
    );
  });

  it('record a decision with the principal, whichever node was asked', async () => {
    await using nodes = await twoNodes('modern', { token: 'whole' });
    const { owner, follower, place } = nodes;
    const trail = await openAuditTrail({ place, clock: systemClock, log: console });
    for (const [index, node] of [follower, owner].entries()) {
      const response = await fetch(`${node.url}/api/servers/notes/restart`, {
        method: 'POST',
        headers: { authorization: 'Bearer whole', 'content-type': 'application/json', 'tidings-subject': 'mallory' },
        body: '{}',
      });
      expect(response.status).toBe(200);
      const records = await eventually('the record', async () => {
        await owner.hub.audit.flush();
        const all = await trail.read({ limit: 100 });
        const decided = all.filter(({ method }) => method === 'restart');
        return decided.length > index && decided;
      });
      expect(records.map(({ who, server }) => [who, server])).toEqual(records.map(() => ['token', 'notes']));
    }
    await trail.close();
  });

  it('hide a server from a token without access to it on every node, and cannot be impersonated', async () => {
    const tokens = [{ env: 'LIMITED', allow: ['other://**'] }];
    const access = { token: 'whole', config: { tokens }, env: { LIMITED: 'limited' } };
    await using nodes = await twoNodes('modern', access);
    const ask = async (node: RunningHub, token: string, method: string, path: string) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const body = method === 'GET' ? {} : { body: '{}' };
      const response = await fetch(`${node.url}${path}`, { method, headers, ...body });
      return `${response.status} ${(await response.text()).replaceAll('notes', 'none')}`;
    };
    for (const node of [nodes.owner, nodes.follower]) {
      for (const method of ['GET', 'POST', 'PATCH']) {
        for (const end of ['', '/definitions', '/trust', '/log', '/ping', '/restart']) {
          const answers = ['notes', 'none'].map((id) => ask(node, 'limited', method, `/api/servers/${id}${end}`));
          const [there, missing] = await Promise.all(answers);
          expect([method, end, there]).toEqual([method, end, missing]);
        }
      }
      for (const token of ['limited', 'whole', 'guessed']) {
        for (const path of ['/node/api/servers', '/node/mcp/notes', '/node/api/sessions'])
          expect(await ask(node, token, 'GET', path)).toMatch(token === 'guessed' ? /^401/ : /^404/);
      }
    }
  });

  it('have one journal: a reader continues on the other node with its cursor', async () => {
    await using nodes = await twoNodes();
    const { upstream, owner, follower } = nodes;
    const told = async (hub: RunningHub, query: string) => {
      const page = eventsSchema.parse(await hub.json(`/api/events?${query}`));
      const uris = page.events.flatMap((event) => (event.type === 'resource_update' ? [event.resourceUri] : []));
      return { ...page, uris };
    };
    upstream.put('a', 'second');
    const first = await eventually('the event', async () => {
      const page = await told(owner, 'last=100');
      return page.uris.includes('note://a') ? page : undefined;
    });
    upstream.put('b', 'second');
    const next = await eventually('the next event, on the other node', async () => {
      const page = await told(follower, `after=${first.cursor}`);
      return page.uris.includes('note://b') ? page : undefined;
    });
    expect(next.has_gap).toBe(false);
    // The same events with the same cursors, in the same order. Either node may be the first to read them back.
    const same = await eventually('the next event, on the node that stored it', async () => {
      const page = await told(owner, `after=${first.cursor}&limit=${next.events.length}`);
      return page.events.length === next.events.length ? page : undefined;
    });
    expect(same.events).toEqual(next.events);
  });

  it('keep the list of a server that they have handed over until the new owner is connected', async () => {
    await using nodes = await twoNodes();
    const { tracker } = nodes.owner.hub;
    const readiness = async () => (await nodes.owner.get('/readyz')).status;
    expect(await readiness()).toBe(200);
    const replaced = new Promise<void>((resolve) => void tracker.onReplaced(resolve));
    await tracker.retire();
    await replaced;
    const upstream = tracker.upstream('notes');
    expect(tracker.owns('notes')).toBe(false);
    expect([...upstream.lastKnownCatalog.resources.keys()]).toEqual(['note://a', 'note://b', 'note://c']);
    expect(upstream.lastKnownCatalog.templates.map(({ uriTemplate }) => uriTemplate)).toEqual(['note://{name}']);
    expect(upstream.definitions.offered('tools').map(({ name }) => name)).toContain('put_note');
    // So a balancer does not move its clients.
    expect(await readiness()).toBe(200);
  });

  it('have the lists of a server as soon as they are started', async () => {
    await using nodes = await twoNodes();
    const { upstream, owner, place } = nodes;
    // Its list is stored then.
    await owner.hub.close();
    const config = { servers: [upstream.entry('notes')], tokens: [] };
    // This tracker has not joined the others, so it is not connected to any server.
    const tracker = await openTracker({ config, place, node: 'three' });
    expect([...tracker.upstream('notes').lastKnownCatalog.resources.keys()].toSorted()).toEqual([
      'note://a',
      'note://b',
      'note://c',
    ]);
    await tracker.close();
  });

  it('wait for a server whose node is not connected, instead of listing it without resources', async () => {
    const port = await freePort();
    const entry = {
      id: 'notes',
      url: `http://127.0.0.1:${port}/mcp`,
      headers: {},
      enabled: true,
      trackResources: true,
    };
    const options = { place: await freshDatabase(), servers: [entry] };
    await using one = await runningHub({ ...options, node: 'one' });
    await using two = await runningHub({ ...options, node: 'two' });
    const follower = await eventually('one of them to own the server', () => {
      if (one.hub.tracker.otherWith('notes')) return one;
      return two.hub.tracker.otherWith('notes') ? two : undefined;
    });
    await eventually('the other node to have asked the owner', () => {
      const { failures, state } = follower.hub.tracker.upstream('notes').status();
      return failures > 0 || state !== 'connecting';
    });
    const client = await follower.connect('modern');
    const { honored } = await client.subscribe('note://a');
    expect(honored).toEqual(['note://a']);
    await using _upstream = await NotesUpstream.start('modern', 'note', port, { a: 'first' });
    await eventually('the client to be told', () => client.updates.includes('note://a'));
    await client.close();
  });

  it('use a server whose list cannot be read, and have the list once it can', async () => {
    await using server = await ScriptedServer.create({ resources: { 'a://1': 'one' }, listFails: true });
    const options = { place: await freshDatabase(), servers: [server.entry('odd')] };
    await using one = await runningHub({ ...options, node: 'one' });
    await using two = await runningHub({ ...options, node: 'two' });
    const upstreams = [one, two].map(({ hub }) => hub.tracker.upstream('odd'));
    const isConnected = () => upstreams.every(({ capabilities }) => capabilities?.resources !== undefined);
    await eventually('both to be connected, one through the other', isConnected);
    const follower = one.hub.tracker.owns('odd') ? two : one;
    const client = await follower.connect('modern');
    const { honored } = await client.subscribe('a://1');
    expect(honored).toEqual(['a://1']);
    await server.edit({ listFails: false });
    await eventually('the client to be told', () => client.updates.includes('a://1'));
    expect(await client.read('a://1')).toBe('one');
    await client.close();
  });

  it('hand a server over when its owner ends, and no change is missed', async () => {
    await using nodes = await twoNodes();
    const { upstream, owner, follower } = nodes;
    const client = await follower.connect('modern');
    await client.subscribe('note://a', 'note://b');
    for (const uri of ['note://a', 'note://b']) await client.read(uri);
    const { cursor } = eventsSchema.parse(await follower.json('/api/events?last=1'));
    await owner.hub.close();
    // No node is connected at this moment.
    upstream.put('a', 'while away');
    await eventually('the takeover', () => follower.hub.tracker.owns('notes'));
    await eventually('the client to be told', () => client.updates.includes('note://a'));
    expect(await client.read('note://a')).toBe('while away');
    // The client has this content already.
    expect(client.updates).not.toContain('note://b');
    await eventually('the journal to tell', async () => {
      const { events, has_gap } = eventsSchema.parse(await follower.json(`/api/events?after=${cursor}`));
      // A gap, if the old owner was not sure that its readers had the content.
      const isTold = events.some(
        (event) => event.type === 'gap' || (event.type === 'resource_update' && event.resourceUri === 'note://a'),
      );
      return isTold && !has_gap;
    });
    upstream.put('b', 'afterwards');
    await eventually('later changes', () => client.updates.includes('note://b'));
    expect(await client.call('notes_put_note', { name: 'c', text: 'called' })).toContain('c');
    await client.close();
  });

  it('take a server again that is removed and added at once', async () => {
    await using upstream = await NotesUpstream.start('modern');
    upstream.put('a', 'first');
    const entry = upstream.entry('notes');
    await using node = await runningHub({ place: await freshDatabase(), servers: [entry], node: 'one' });
    const { tracker } = node.hub;
    const isLive = () => tracker.owns('notes') && tracker.upstream('notes').status().state === 'live';
    await eventually('the server to be followed', isLive);
    const before = tracker.upstream('notes');
    tracker.apply({ servers: [], tokens: [] });
    tracker.apply({ servers: [entry], tokens: [] });
    await before.stop();
    // By then, the removed upstream would have given the lease back.
    for (let n = 0; n < 3; n += 1) await tracker.cluster?.leases.look();
    await eventually('the server to be followed again', isLive);
    const { cursor } = tracker.journal;
    upstream.put('a', 'second');
    await eventually('the change to be told', () =>
      tracker.journal.read({ after: cursor, limit: 100 }).entries.some(({ event }) => event.type === 'resource_update'),
    );
  });
});
