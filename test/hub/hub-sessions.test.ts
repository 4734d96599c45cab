// Agents that are notified of changes: their sessions at the hub, in the transcript, and as input.
import { eventually } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AgentMessage } from '../../packages/hub/src/agent/port/agent-port.ts';
import { SessionOver } from '../../packages/hub/src/agent/port/session-over.ts';
import { RealtimeServer } from '../support/counterpart/realtime-server.ts';
import { contentsIn } from './contents-in.ts';
import { attach, line, open, sessionsSchema } from './attached-session.ts';

describe('the sessions of a hub', () => {
  it("begin with the transcript, which shows an agent's lines, and can be followed", async () => {
    await using opened = await open();
    const { hub, upstream } = opened;
    expect(sessionsSchema.parse(await hub.json('/api/sessions')).sessions[0]).toMatchObject({
      id: 'transcript',
      kind: 'transcript',
      state: 'attached',
    });
    const stream = await fetch(`${hub.url}/api/sessions/transcript/transcript`, {
      headers: { Accept: 'text/event-stream' },
    });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    upstream.put('a', 'second');
    let seen = '';
    await eventually('the line to be streamed', async () => {
      seen += (await reader?.read())?.value ?? '';
      return seen.includes('Resource note://a updated');
    });
    await reader?.cancel();
    const { entries } = z
      .object({
        entries: z.array(z.object({ id: z.number(), timestamp: z.string(), kind: z.string(), text: z.string() })),
      })
      .parse(await hub.json('/api/sessions/transcript/transcript'));
    expect(entries.at(-1)?.text).toMatch(line);
  });

  it('that are detached end the streams of their transcripts', async () => {
    await using realtime = await RealtimeServer.start();
    await using opened = await open(realtime);
    const { hub } = opened;
    const { id } = await attach(hub, { kind: 'openai-realtime', key_env: 'REALTIME_KEY', url: realtime.url });
    const headers = { Accept: 'text/event-stream' };
    const followed = await fetch(`${hub.url}/api/sessions/${id}/transcript`, { headers });
    await fetch(`${hub.url}/api/sessions/${id}`, { method: 'DELETE' });
    expect(await followed.text()).toMatch(/id: \d+\ndata: .*"text":"detached"\}\n\n$/);
  });

  it('that have ended make room for others', async () => {
    await using opened = await open();
    const { sessions } = opened.hub.hub;
    const send = async () => undefined;
    const over = { kind: 'call', open: () => Promise.reject(new SessionOver('Over.')), send, close: send };
    const calls = Array.from({ length: 199 }, () => sessions.add(over));
    await eventually('their ends', () => calls.every(({ isOver }) => isOver));
    const kept = { kind: 'kept', open: send, send, close: send };
    for (let n = 0; n < 199; n += 1) sessions.add(kept);
    expect(new Set(sessions.list().map(({ kind }) => kind))).toEqual(new Set(['transcript', 'kept']));
    expect(() => sessions.add(kept)).toThrow('There are 200 sessions already');
  });

  it('can be attached and detached', async () => {
    await using realtime = await RealtimeServer.start();
    await using opened = await open(realtime);
    const { hub } = opened;
    const { id } = await attach(hub, { kind: 'openai-realtime', key_env: 'REALTIME_KEY', url: realtime.url });
    const remove = (which: string) => fetch(`${hub.url}/api/sessions/${which}`, { method: 'DELETE' });
    expect((await remove(id)).status).toBe(204);
    expect((await remove(id)).status).toBe(404);
    expect((await remove('transcript')).status).toBe(400);
    expect(sessionsSchema.parse(await hub.json('/api/sessions')).sessions).toHaveLength(1);
  });

  it('get only the requested updates, with the content or the difference', async () => {
    await using opened = await open();
    const { hub, upstream } = opened;
    const { sessions } = hub.hub;
    const said: string[] = [];
    const send = async ({ text }: AgentMessage) => void said.push(text);
    sessions.add(
      { kind: 'own', open: async () => undefined, send, close: async () => undefined },
      { uris: ['note://b*'], announce: 'diff' },
    );
    upstream.put('a', 'not for it');
    upstream.put('b', 'one\ntwo');
    await eventually('the first', () => said.length === 2);
    expect(said[0]).toMatch(/^Resource note:\/\/b updated for MCP server notes at \S+$/);
    upstream.put('b', 'one\nthree');
    await eventually('the second', () => said.length === 4);
    expect(contentsIn(said)).toEqual(['one\ntwo', expect.stringMatching(/-two\n\+three$/)]);
  });

  it('get the line of an update for a removed resource', async () => {
    await using opened = await open();
    const { hub, upstream } = opened;
    const { transcript } = hub.hub.sessions.get('transcript');
    upstream.remove('a');
    await eventually('the line', () => transcript.entries.some(({ text }) => line.test(text)));
  });

  it('report once that they are unreachable, however often the hub retries', async () => {
    await using opened = await open();
    const { sessions } = opened.hub.hub;
    let attempts = 0;
    const flaky = sessions.add({
      kind: 'flaky',
      open: async () => {
        attempts += 1;
        if (attempts < 3) throw new Error('Nobody is there.');
      },
      send: async () => undefined,
      close: async () => undefined,
    });
    await eventually('it to be attached', () => flaky.status().state === 'attached');
    expect(flaky.transcript.entries.map(({ text }) => text)).toEqual(['backoff: Nobody is there.', 'attached']);
  });

  it('do not delay each other', async () => {
    await using opened = await open();
    const { hub, upstream } = opened;
    const { sessions } = hub.hub;
    const stuck = sessions.add({
      kind: 'stuck',
      open: async () => undefined,
      send: () => new Promise(() => undefined),
      close: async () => undefined,
    });
    upstream.put('a', '2');
    await eventually('the other to be told', () => sessions.get('transcript').status().messages === 1);
    expect(stuck.status().messages).toBe(0);
  });
});
