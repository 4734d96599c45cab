// Agent sessions of a cluster: one node holds each, and another one takes it over.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@tidings/live/testing';
import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { contentsIn } from '../hub/contents-in.ts';
import { NotesUpstream } from '../hub/notes-upstream.ts';
import { type RunningHub, runningHub } from '../hub/running-hub.ts';
import { describeWith } from '../support/run/needs.ts';
import { postgresNeed } from '../support/service/postgres.ts';
import { RealtimeServer } from '../support/counterpart/realtime-server.ts';
import { freshDatabase } from '../support/service/shared-postgres.ts';
import { NodeProcess, byOwner } from './cluster-of-processes.ts';

const sessionsSchema = z.object({ sessions: z.array(z.looseObject({ id: z.string(), state: z.string() })) });

describeWith(postgresNeed, 'an agent session of a cluster', () => {
  it('gets each line once, is shown and can be detached on any node, and is taken over when its node is killed', async () => {
    await using upstream = await NotesUpstream.start('modern');
    upstream.put('a', 'first');
    await using realtime = await RealtimeServer.start();
    const config = { servers: [upstream.entry('notes')], realtime: [realtime.url] };
    const options = { place: await freshDatabase(), config, env: { REALTIME_KEY: 'sk-test' } };
    const [one, two] = await Promise.all([NodeProcess.start(options), NodeProcess.start(options)]);
    // A change before the first list is no event.
    await byOwner([one, two], 'notes');
    const answer = await fetch(`${one.url}/api/sessions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ kind: 'openai-realtime', key_env: 'REALTIME_KEY', url: realtime.url }),
    });
    expect(answer.status).toBe(201);
    const { id } = z.looseObject({ id: z.string() }).parse(await answer.json());
    const isAttached = (node: NodeProcess) =>
      eventually('the session to be attached', async () => {
        const { sessions } = sessionsSchema.parse(await node.json('/api/sessions'));
        return sessions.some((session) => session.id === id && session.state === 'attached');
      });
    for (const node of [one, two]) await isAttached(node);
    upstream.put('a', 'second');
    await eventually('the message', () => realtime.messages.length === 1);
    await eventually('its transcript on the other node', async () =>
      JSON.stringify(await two.json(`/api/sessions/${id}/transcript`)).includes('note://a'),
    );
    expect(realtime.connections).toBe(1);
    await one.kill();
    await eventually('the takeover', () => realtime.connections === 1 && realtime.keys.length === 2);
    await isAttached(two);
    upstream.put('a', 'third');
    await eventually('the next message', () => realtime.messages.length > 1);
    await fetch(`${two.url}/api/sessions/${id}`, { method: 'DELETE' });
    await eventually('the end', () => realtime.connections === 0);
    await eventually('it to be gone from the list', async () => {
      const { sessions } = sessionsSchema.parse(await two.json('/api/sessions'));
      return sessions.map((session) => session.id).join() === 'transcript';
    });
  });

  it('that has ended is opened by no other node', async () => {
    await using realtime = await RealtimeServer.start();
    const place = await freshDatabase();
    const options = { place, config: { realtime: [realtime.url] }, env: { REALTIME_KEY: 'sk-test' } };
    await using other = await runningHub({ ...options, node: 'other' });
    const database = new Client(place);
    await database.connect();
    const stored = async () => (await database.query('select from tidings_tracker.agent_session')).rows.length;
    const stateAt = async (node: RunningHub) => {
      const { sessions } = sessionsSchema.parse(await node.json('/api/sessions'));
      return sessions.find(({ id }) => id === 'call')?.state;
    };
    {
      await using holder = await runningHub({ ...options, node: 'holder' });
      const url = `${realtime.url}/v1/realtime?call_id=rtc_1`;
      const answer = await fetch(`${holder.url}/api/sessions`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ id: 'call', kind: 'openai-realtime', key_env: 'REALTIME_KEY', url }),
      });
      expect([answer.status, await stored()]).toEqual([201, 1]);
      await eventually('the session', async () => (await stateAt(other)) === 'attached');
      realtime.callIsOver = true;
      realtime.hangUp();
      for (const node of [holder, other]) await eventually('its end', async () => (await stateAt(node)) === 'detached');
      await eventually('it to be no longer stored', async () => (await stored()) === 0);
      expect(await stateAt(holder)).toBe('detached');
    }
    await eventually('it to be gone', async () => (await stateAt(other)) === undefined);
    await database.end();
  });

  it('that cannot be stored leaves no lease', async () => {
    await using realtime = await RealtimeServer.start();
    const place = await freshDatabase();
    const config = { realtime: [realtime.url] };
    await using node = await runningHub({ place, config, env: { REALTIME_KEY: 'sk-test' }, node: 'one' });
    const database = new Client(place);
    await database.connect();
    const attach = () =>
      fetch(`${node.url}/api/sessions`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ kind: 'openai-realtime', key_env: 'REALTIME_KEY', url: realtime.url }),
      });
    const held = async () => {
      const { rows } = await database.query("select from tidings_tracker.lease where node = 'one'");
      return rows.length;
    };
    await database.query('alter table tidings_tracker.agent_session rename to away');
    expect((await attach()).status).toBe(503);
    await database.query('alter table tidings_tracker.away rename to agent_session');
    expect(await held()).toBe(0);
    expect((await attach()).status).toBe(201);
    expect(await held()).toBe(1);
    await database.end();
  });

  it('has an id that no other node accepts again', async () => {
    await using realtime = await RealtimeServer.start();
    const place = await freshDatabase();
    const options = { place, config: { realtime: [realtime.url] }, env: { REALTIME_KEY: 'sk-test' } };
    await using holder = await runningHub({ ...options, node: 'holder' });
    await using other = await runningHub({ ...options, node: 'other' });
    const attach = async ({ url }: RunningHub, id: string) => {
      const answer = await fetch(`${url}/api/sessions`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ id, kind: 'openai-realtime', key_env: 'REALTIME_KEY', url: realtime.url }),
      });
      return `${answer.status} ${await answer.text()}`;
    };
    const idsAt = async (node: RunningHub) =>
      sessionsSchema.parse(await node.json('/api/sessions')).sessions.map(({ id }) => id);
    expect(await attach(holder, 'call')).toMatch(/^201/);
    await eventually('the other node to know it', async () => (await idsAt(other)).includes('call'));
    expect(await attach(other, 'call')).toMatch(/^400 .*there is a session \\"call\\" already/);
    expect(realtime.keys).toHaveLength(1);
    expect(await idsAt(other)).toEqual(['transcript', 'call']);
    // One that no node can open, so that none is known to hold it.
    const database = new Client(place);
    await database.connect();
    await database.query("insert into tidings_tracker.agent_session (id, request, cursor) values ('new', '{}', '')");
    await database.end();
    expect(await attach(other, 'new')).toMatch(/^400 .*there is a session \\"new\\" already/);
    await eventually('its connection to be closed', () => realtime.connections === 1);
    expect(await idsAt(other)).toEqual(['transcript', 'call']);
  });

  it('gets a notification that comes due on another node, and the next one after a takeover', async () => {
    await using realtime = await RealtimeServer.start();
    const folder = await mkdtemp(join(tmpdir(), 'tidings-destinations-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    const file = join(folder, 'destinations.json');
    const destinations = { voice: { kind: 'session', session: 'voice', pause_seconds: 1 } };
    await writeFile(file, JSON.stringify({ destinations, topics: { '*': 'voice' } }));
    const options = {
      place: await freshDatabase(),
      env: { REALTIME_KEY: 'sk-test', TIDINGS_DESTINATIONS: file },
    };
    const realtimes = { realtime: [realtime.url] };
    // Only this node has schedules, so all notifications come due there.
    const schedules = { id: 'plans', builtin: 'schedules' };
    const [holder, other] = await Promise.all([
      NodeProcess.start({ ...options, config: { servers: [], ...realtimes } }),
      NodeProcess.start({ ...options, config: { servers: [schedules], ...realtimes } }),
    ]);
    const answer = await fetch(`${holder.url}/api/sessions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ id: 'voice', kind: 'openai-realtime', key_env: 'REALTIME_KEY', url: realtime.url }),
    });
    expect(answer.status).toBe(201);
    // A call waits a few seconds for a server that is not connected yet, which may not be enough on a busy machine.
    await eventually('the schedules to be live', async () => (await other.status('plans'))?.state === 'live');
    const client = await other.connect('modern');
    const schedule = (message: string) =>
      client.call('plans_schedule_notification', { message, notification_topic: 'kitchen', delay: '1s' });
    expect(await schedule('Dinner')).toContain('agent session voice of the hub');
    await eventually('the notification', () => contentsIn(realtime.contents).includes('Dinner'));
    const history = async () => client.read('schedules://kitchen/history');
    await eventually('its trace', async () => (await history()).includes('"event":"delivered"'));
    // Sent by the node that holds the session, which is the only one connected to it.
    expect(realtime.keys).toHaveLength(1);
    await holder.kill();
    await schedule('Dessert');
    await eventually('the next one', () => contentsIn(realtime.contents).includes('Dessert'), 30_000);
    expect(contentsIn(realtime.contents)).toEqual(['Dinner', 'Dessert']);
    await client.close();
  });
});
