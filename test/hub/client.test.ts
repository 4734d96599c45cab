// The client with which pages and programs notify an agent themselves, with a real hub: each update is reported once,
// none is lost, and none interrupts an answer if so configured.
import { EventEmitter } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OpenAIRealtimeWebSocket, RealtimeAgent, RealtimeSession } from '@openai/agents/realtime';
import { eventually } from '@tidings/live/testing';
import { type TellingOptions, tellRealtimeSession, updates } from '@tidings/client';
import { expect, it, onTestFinished } from 'vitest';
import { RealtimeServer } from '../support/counterpart/realtime-server.ts';
import { hubWithNotes } from './hub-with-notes.ts';
import { NotesUpstream } from './notes-upstream.ts';
import { type RunningHub, runningHub } from './running-hub.ts';

async function folder(): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), 'tidings-hub-'));
  onTestFinished(() => rm(place, { recursive: true, force: true, maxRetries: 5 }));
  return place;
}

/** A fake session of the library; the test decides when it is connected and when it answers. */
class Session {
  readonly transport = new Transport();

  get told(): readonly string[] {
    return this.transport.told;
  }

  get uris(): (string | undefined)[] {
    return this.told.map((text) => /Resource (\S+)/.exec(text)?.[1]);
  }
}

class Transport extends EventEmitter {
  readonly told: string[] = [];
  isConnected = true;
  readyState = 1;
  /** How often its state was read, and how often it has refused a message. */
  looks = 0;
  refusals = 0;

  get connectionState() {
    this.looks += 1;
    return { websocket: { readyState: this.readyState } };
  }

  sendEvent(event: object): void {
    if (this.isConnected) this.told.push(JSON.stringify(event));
    else {
      this.refusals += 1;
      throw new Error('not connected');
    }
  }
}

async function told(session: Session, hub: RunningHub, options: Partial<TellingOptions> = {}): Promise<void> {
  const states: string[] = [];
  const stop = tellRealtimeSession(session, { hub: hub.url, ...options, onState: (state) => states.push(state) });
  onTestFinished(stop);
  await eventually('the connection', () => states.includes('connected'));
}

it('reports a removal like an update', async () => {
  await using opened = await hubWithNotes();
  const { hub, upstream } = opened;
  const session = new Session();
  await told(session, hub, { uris: ['note://**'] });
  upstream.remove('a');
  await eventually('the line', () => session.transport.told.length === 1);
  expect(session.transport.told[0]).toContain('Resource note://a updated for MCP server notes at ');
});

it('sends a real session the lines again that it refused', async () => {
  await using opened = await hubWithNotes();
  const { hub, upstream } = opened;
  await using realtime = await RealtimeServer.start();
  const transport = new OpenAIRealtimeWebSocket({ url: realtime.url });
  const session = new RealtimeSession(new RealtimeAgent({ name: 'assistant' }), { transport });
  session.on('error', () => undefined);
  await session.connect({ apiKey: 'sk-test' });
  const refused: [string, string][] = [];
  const onRefused = (line: string, reason: string) => void refused.push([line, reason]);
  onTestFinished(tellRealtimeSession(session, { hub: hub.url, uris: ['note://**'], onRefused }));
  await eventually('it to listen', () => hub.hub.tracker.events.readers === 1);
  let refusals = 0;
  realtime.refusal = ({ type }) => (type === 'conversation.item.create' && refusals++ === 0 ? 'Not now.' : undefined);
  upstream.put('a', '2');
  await eventually('it to be told again', () => realtime.messages.length === 2);
  expect(realtime.messages[1]).toBe(realtime.messages[0]);
  expect(refused).toEqual([]);
  session.close();
});

it('reports each update once, across a restart of the hub', async () => {
  const place = await folder();
  await using upstream = await NotesUpstream.start('modern');
  upstream.put('a', 'first');
  const servers = [upstream.entry('notes')];
  const first = await runningHub({ servers, place });
  await first.isLive('notes');
  const session = new Session();
  await told(session, first, { uris: ['note://**'] });
  upstream.put('a', 'second');
  await eventually('the first line', () => session.told.length === 1);
  await first[Symbol.asyncDispose]();
  upstream.put('a', 'while the hub was away');
  await using second = await runningHub({ servers, place, port: Number(new URL(first.url).port) });
  await second.isLive('notes');
  await eventually('the second line', () => session.told.length === 2);
  expect(session.told[0]).toContain('"role":"system"');
  expect(session.told[0]).toContain('Resource note://a updated for MCP server notes at ');
  expect(new Set(session.told).size).toBe(2);
});

it('reports a gap if the hub no longer has the events', async () => {
  await using upstream = await NotesUpstream.start('modern');
  upstream.put('a', 'first');
  const servers = [upstream.entry('notes')];
  const first = await runningHub({ servers });
  await first.isLive('notes');
  const session = new Session();
  await told(session, first);
  await first[Symbol.asyncDispose]();
  // Another hub, without the first one's journal.
  await using second = await runningHub({ servers, port: Number(new URL(first.url).port) });
  await second.isLive('notes');
  await eventually('the line', () => session.told.length === 1);
  expect(session.told[0]).toMatch(/Resources may have changed at \S+: read again what you rely on/);
});

it('keeps updates while the session is not connected, one line for each resource', async () => {
  await using opened = await hubWithNotes();
  const { hub, upstream } = opened;
  const session = new Session();
  const { transport } = session;
  transport.isConnected = false;
  await told(session, hub);
  upstream.put('a', '2');
  upstream.put('b', '2');
  await eventually('it to have been tried', () => transport.refusals > 0);
  transport.isConnected = true;
  await eventually('both to be told', () => session.told.length === 2);
  expect(session.uris).toEqual(['note://a', 'note://b']);
});

it('sends nothing to a closing socket, which would drop it', async () => {
  await using opened = await hubWithNotes();
  const { hub, upstream } = opened;
  const session = new Session();
  const { transport } = session;
  transport.readyState = 2;
  await told(session, hub);
  upstream.put('a', '2');
  await eventually('it to have been tried', () => transport.looks > 0);
  expect(session.told).toEqual([]);
  transport.readyState = 1;
  await eventually('it to be told', () => session.told.length === 1);
});

it('between turns: waits while the model answers', async () => {
  await using opened = await hubWithNotes();
  const { hub, upstream } = opened;
  const session = new Session();
  await told(session, hub, { when: 'between-turns', servers: ['notes'], uris: ['note://a', 'note://c'] });
  const atOnce = new Session();
  await told(atOnce, hub);
  session.transport.emit('turn_started');
  for (const name of ['a', 'b', 'c']) upstream.put(name, '2');
  await eventually('one that does not wait to be told', () => atOnce.told.length === 3);
  expect(session.told).toEqual([]);
  session.transport.emit('turn_done');
  await eventually('those that were asked for', () => session.told.length === 2);
  expect(session.uris).toEqual(['note://a', 'note://c']);
});

it('sends lines to an agent with streamed input, and waits for its turn too', async () => {
  await using opened = await hubWithNotes();
  const { hub, upstream } = opened;
  const lines = updates({ hub: hub.url, when: 'between-turns' });
  const taken: unknown[] = [];
  const next = lines.next().then(({ value }) => taken.push(value));
  await eventually('it to listen', () => hub.hub.tracker.events.readers === 1);
  const atOnce = new Session();
  await told(atOnce, hub);
  lines.answering(true);
  upstream.put('a', '2');
  upstream.put('b', '2');
  await eventually('one that does not wait to be told', () => atOnce.told.length === 2);
  expect(taken).toEqual([]);
  lines.answering(false);
  await next;
  const line = (name: string) => expect.stringMatching(new RegExp(`^Resource note://${name} updated`));
  const about = (name: string) => ({ line: line(name), serverId: 'notes', uri: `note://${name}`, kind: 'update' });
  expect(taken[0]).toEqual({ ...about('a'), cursor: expect.any(String) });
  const { value: second } = await lines.next();
  expect(second).toEqual({ ...about('b'), cursor: hub.hub.tracker.journal.cursor });
  await lines.return();
  await eventually('it to have left', () => hub.hub.tracker.events.readers === 1);
});

it('accepts a session of the library', async () => {
  await using opened = await hubWithNotes();
  const { hub, upstream } = opened;
  await using realtime = await RealtimeServer.start();
  const transport = new OpenAIRealtimeWebSocket({ url: realtime.url });
  const session = new RealtimeSession(new RealtimeAgent({ name: 'assistant' }), { transport });
  await session.connect({ apiKey: 'sk-test' });
  onTestFinished(tellRealtimeSession(session, { hub: hub.url }));
  await eventually('it to listen', () => hub.hub.tracker.events.readers === 1);
  upstream.put('a', '2');
  await eventually('the line', () => realtime.messages.length === 1);
  session.close();
});
