// Agent sessions of a cluster: one node holds each, and another one takes it over.
import { eventually } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { NotesUpstream } from '../hub/notes-upstream.ts';
import { describeWith } from '../support/needs.ts';
import { postgresNeed } from '../support/postgres.ts';
import { RealtimeServer } from '../support/realtime-server.ts';
import { freshDatabase } from '../support/shared-postgres.ts';
import { NodeProcess } from './cluster-of-processes.ts';

const sessionsSchema = z.object({ sessions: z.array(z.looseObject({ id: z.string(), state: z.string() })) });

describeWith(postgresNeed, 'an agent session of a cluster', () => {
  it('is told once, shown and ended on any node, and taken over when its node is killed', async () => {
    await using upstream = await NotesUpstream.start('modern');
    upstream.put('a', 'first');
    await using realtime = await RealtimeServer.start();
    const config = { servers: [upstream.entry('notes')], realtime: [realtime.url] };
    const options = { place: await freshDatabase(), config, env: { REALTIME_KEY: 'sk-test' } };
    const [one, two] = await Promise.all([NodeProcess.start(options), NodeProcess.start(options)]);
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
});
