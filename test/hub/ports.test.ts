// The ports to agents: their common cases, and cases of single ports.
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@tidings/live';
import { eventually } from '@tidings/live/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { GeminiLivePort } from '../../packages/hub/src/agent/port/gemini-live.ts';
import { assertNamed } from '../../packages/hub/src/agent/port/open-port.ts';
import { OpenAiRealtimePort } from '../../packages/hub/src/agent/port/openai-realtime.ts';
import { StdoutPort } from '../../packages/hub/src/agent/port/stdout-port.ts';
import { WebhookPort } from '../../packages/hub/src/agent/port/webhook-port.ts';
import { GeminiServer } from '../support/counterpart/gemini-server.ts';
import { HttpSink } from '../support/counterpart/http-sink.ts';
import { RealtimeServer } from '../support/counterpart/realtime-server.ts';
import { hubWithNotes } from './hub-with-notes.ts';
import { type OpenPortUnderTest, portCases } from './port-cases.ts';
import type { RunningHub } from './running-hub.ts';

const clock = systemClock;
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const bridged = z.object({ type: z.literal('agent.message'), data: z.object({ role: z.string(), text: z.string() }) });

const realtime =
  (query: string): OpenPortUnderTest =>
  async () => {
    const server = await RealtimeServer.start();
    const texts = () =>
      server.received.flatMap(({ type, item }) =>
        type === 'conversation.item.create' ? [item?.content?.[0]?.text ?? ''] : [],
      );
    return {
      port: new OpenAiRealtimePort({ apiKey: 'sk-secret', url: `${server.url}/v1/realtime${query}`, clock }),
      texts,
      secret: 'sk-secret',
      wasAsked: () => server.received.some(({ type }) => type === 'response.create'),
      down: () => server.down(),
      up: () => server.up(),
      answering: (isAnswering) => server.answering(isAnswering),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  };

const ports: Readonly<Record<string, OpenPortUnderTest>> = {
  'openai-realtime': realtime('?model=gpt-realtime'),
  'openai-realtime, in a call that is going on': realtime('?call_id=rtc_1'),
  'gemini-live': async () => {
    const server = await GeminiServer.start();
    return {
      port: new GeminiLivePort({ apiKey: 'g-secret', url: server.url, model: 'gemini-live', clock }),
      texts: () => server.texts,
      secret: 'g-secret',
      wasAsked: () => server.received.some(({ clientContent }) => clientContent?.turnComplete),
      down: () => server.down(),
      up: () => server.up(),
      answering: (isAnswering) => server.answering(isAnswering),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
  webhook: async () => {
    const sink = await HttpSink.start();
    const port = new WebhookPort({ session: 'voice', url: `${sink.url}/bridge`, secret, clock });
    return {
      port,
      texts: () => sink.received.map(({ body }) => bridged.parse(JSON.parse(body)).data.text),
      secret: secret.slice(6),
      wasAsked: () => false,
      answering: async (isAnswering) => {
        sink.reply = JSON.stringify({ answering: isAnswering });
        await port.send({ kind: 'notice', text: 'x' });
      },
      down: async () => void (sink.answer = 503),
      up: async () => void (sink.answer = 200),
      [Symbol.asyncDispose]: () => sink[Symbol.asyncDispose](),
    };
  },
  stdout: async () => {
    const lines: string[] = [];
    const write = (line: string, done: () => void) => {
      lines.push(line);
      done();
    };
    return {
      port: new StdoutPort({ session: 'voice', clock, write }),
      texts: () => lines.map((line) => bridged.parse(JSON.parse(line)).data.text),
      wasAsked: () => false,
      [Symbol.asyncDispose]: async () => undefined,
    };
  },
};

for (const [kind, open] of Object.entries(ports)) {
  describe(`the port ${kind}`, () => {
    for (const { name, run } of portCases) it(name, () => run(open));
  });
}

const nothing = {
  answering: () => undefined,
  arrived: () => undefined,
  refused: () => undefined,
  lost: () => undefined,
};

async function attach({ url }: RunningHub, body: object): Promise<{ status: number; id: string; text: string }> {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${url}/api/sessions`, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  const id = z.object({ id: z.string() }).safeParse(JSON.parse(text)).data?.id ?? '';
  return { status: answer.status, id, text };
}

describe('a call in progress', () => {
  it('keeps its settings: the hub only adds messages', async () => {
    await using server = await RealtimeServer.start();
    const port = new OpenAiRealtimePort({ apiKey: 'sk', url: `${server.url}/v1/realtime?call_id=rtc_1`, clock });
    await port.open(nothing);
    // In a session of its own, the client would cancel the answer while a person speaks.
    server.speak();
    await port.send({ kind: 'notice', text: 'hello' });
    await eventually('the message', () => server.messages.length === 1);
    expect(server.received.map(({ type }) => type)).toEqual(['conversation.item.create']);
    expect(server.paths).toEqual(['/v1/realtime?call_id=rtc_1']);
    await port.close();
  });

  it('is joined at OpenAI without configuration, and at no other host', () => {
    const call = 'wss://api.openai.com/v1/realtime?call_id=rtc_1';
    expect(() => assertNamed('openai-realtime', call, [])).not.toThrow();
    expect(() => assertNamed('gemini-live', call, [])).toThrow('keys are sent to Google only');
    for (const url of ['wss://api.openai.com.evil.example/?call_id=1', 'ws://api.openai.com/?call_id=1']) {
      expect(() => assertNamed('openai-realtime', url, [])).toThrow('keys are sent to OpenAI only');
    }
  });

  it('is not reopened after it has ended, and makes room for another', async () => {
    await using server = await RealtimeServer.start();
    const config = { realtime: [server.url], limits: { agentSessions: 1 } };
    await using opened = await hubWithNotes({ env: { KEY: 'sk' }, config });
    const { hub } = opened;
    const url = `${server.url}/v1/realtime?call_id=rtc_1`;
    const { id } = await attach(hub, { kind: 'openai-realtime', key_env: 'KEY', url });
    const state = () => hub.hub.sessions.get(id).status();
    await eventually('the session', () => state().state === 'attached');
    server.callIsOver = true;
    server.hangUp();
    await eventually('its end', () => state().state === 'detached');
    expect(state().detail).toBe('The call is over.');
    const model = await attach(hub, { kind: 'openai-realtime', key_env: 'KEY', url, model: 'gpt-realtime' });
    expect(model).toMatchObject({ status: 400, text: expect.stringContaining('keeps its settings') });
    expect((await attach(hub, { kind: 'openai-realtime', key_env: 'KEY', url })).status).toBe(201);
  });
});

describe('a Gemini Live session', () => {
  it('continues the same conversation after a lost connection', async () => {
    await using server = await GeminiServer.start();
    const port = new GeminiLivePort({ apiKey: 'g', url: server.url, model: 'gemini-live', clock });
    const lost: string[] = [];
    await port.open({ ...nothing, lost: (reason) => void lost.push(reason) });
    await eventually('a handle', () => server.setups.length === 1);
    await port.send({ kind: 'notice', text: 'one' });
    await eventually('the message', () => server.texts.length === 1);
    await server.down();
    await eventually('the loss', () => lost.length === 1);
    await server.up();
    await port.open(nothing);
    expect(server.setups.map(({ sessionResumption }) => sessionResumption)).toEqual([{}, { handle: 'handle-1' }]);
    expect(server.setups[0]?.model).toBe('models/gemini-live');
    expect(server.keys).toEqual(['g', 'g']);
    await port.close();
  });

  it('reports why it was refused, and begins a new conversation afterwards', async () => {
    await using server = await GeminiServer.start();
    server.refusal = 'API key not valid';
    const port = new GeminiLivePort({ apiKey: 'g-secret', url: server.url, model: 'x', clock });
    await expect(port.open(nothing)).rejects.toThrow('could not be opened: API key not valid');
    server.refusal = undefined;
    await port.open(nothing);
    expect(server.setups.at(-1)?.sessionResumption).toEqual({});
    await port.close();
  });

  it('gets messages between turns, because a message would interrupt its answer', async () => {
    await using server = await GeminiServer.start();
    await using opened = await hubWithNotes({ env: { KEY: 'g' }, config: { realtime: [new URL(server.url).origin] } });
    const { hub, upstream } = opened;
    const { id, text } = await attach(hub, { kind: 'gemini-live', key_env: 'KEY', url: server.url, model: 'x' });
    expect(JSON.parse(text)).toMatchObject({ kind: 'gemini-live', when: 'between-turns' });
    await eventually('the session', () => hub.hub.sessions.get(id).status().state === 'attached');
    upstream.put('a', 'second');
    await eventually('the line', () => server.texts.some((each) => each.startsWith('Resource note://a updated')));
  });
});

it('a line on stdout contains no terminal control characters, and is the same document', async () => {
  const lines: string[] = [];
  const write = (line: string, done: () => void) => {
    lines.push(line);
    done();
  };
  const port = new StdoutPort({ session: 'voice', clock, write });
  const text = '\u009d2;title\u009c \u202e';
  await port.send({ kind: 'content', text });
  expect(lines.join('')).toMatch(/^[\x20-\x7e]+\n$/);
  expect(bridged.parse(JSON.parse(lines.join(''))).data.text).toBe(text);
});

describe('a bridge', () => {
  it('can check that messages come from the hub', async () => {
    await using sink = await HttpSink.start();
    const port = new WebhookPort({ session: 'voice', url: sink.url, secret, clock });
    await port.open(nothing);
    await port.send({ kind: 'content', text: 'data' });
    const [only] = sink.received;
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = only?.headers ?? {};
    const key = Buffer.from(secret.slice(6), 'base64');
    const expected = createHmac('sha256', key)
      .update(`${String(id)}.${String(at)}.${only?.body ?? ''}`)
      .digest('base64');
    expect(signature).toBe(`v1,${expected}`);
    expect(JSON.parse(only?.body ?? '')).toMatchObject({
      type: 'agent.message',
      data: { session: 'voice', kind: 'content', role: 'user', text: 'data' },
    });
  });

  it('may send a response of any length: only its beginning is read', async () => {
    const sockets = new Set<Socket>();
    const endless = createServer((req, res) => {
      sockets.add(req.socket);
      req.resume();
      const more = () => {
        while (!res.destroyed && res.write('x'.repeat(65_536)));
        if (!res.destroyed) res.once('drain', more);
      };
      more();
    });
    await new Promise<void>((resolve) => void endless.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      endless.closeAllConnections();
      endless.close();
    });
    const address = z.object({ port: z.number() }).parse(endless.address());
    const port = new WebhookPort({ session: 'voice', url: `http://127.0.0.1:${address.port}/`, secret, clock });
    await port.open(nothing);
    await port.send({ kind: 'notice', text: 'x' });
    await eventually('the connection to be closed', () => [...sockets].every(({ destroyed }) => destroyed));
  });

  it('gets messages only if it is configured', async () => {
    await using sink = await HttpSink.start();
    await using opened = await hubWithNotes({
      env: { TIDINGS_WEBHOOK_SECRET: secret },
      config: { realtime: [sink.url] },
    });
    const { hub, upstream } = opened;
    const other = await attach(hub, { kind: 'webhook', url: 'http://127.0.0.1:9/x' });
    expect(other).toMatchObject({ status: 400, text: expect.stringContaining('add it to') });
    const { id } = await attach(hub, { kind: 'webhook', url: `${sink.url}/bridge`, id: 'telephone' });
    expect(id).toBe('telephone');
    expect(await attach(hub, { kind: 'webhook', url: sink.url, id: 'telephone' })).toMatchObject({ status: 400 });
    upstream.put('a', 'second');
    await eventually('the line', () => sink.received.some(({ body }) => body.includes('Resource note://a updated')));
  });
});

describe('sessions that were attached over the API', () => {
  it('are attached again after a restart of the hub, without stored keys', async () => {
    const place = await mkdtemp(join(tmpdir(), 'tidings-kept-'));
    onTestFinished(() => rm(place, { recursive: true, force: true, maxRetries: 5 }));
    await using server = await RealtimeServer.start();
    const options = { env: { KEY: 'sk-kept-secret' }, config: { realtime: [server.url] }, place };
    const wanted = { kind: 'openai-realtime', key_env: 'KEY', url: server.url, id: 'kitchen', uris: ['note://**'] };
    {
      await using opened = await hubWithNotes(options);
      await attach(opened.hub, wanted);
      await attach(opened.hub, { ...wanted, id: 'gone' });
      const answer = await fetch(`${opened.hub.url}/api/sessions/gone`, { method: 'DELETE' });
      expect(answer.status).toBe(204);
    }
    for (const file of await readdir(place, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      const bytes = await readFile(join(file.parentPath, file.name));
      expect(bytes.includes('sk-kept-secret'), file.name).toBe(false);
    }
    await using opened = await hubWithNotes(options);
    const { hub, upstream } = opened;
    const ids = () => hub.hub.sessions.list().map(({ id }) => id);
    await eventually('the session', () => ids().includes('kitchen'));
    expect(ids()).toEqual(['transcript', 'kitchen']);
    expect(hub.hub.sessions.get('kitchen').status().uris).toEqual(['note://**']);
    await eventually('it to be attached', () => hub.hub.sessions.get('kitchen').status().state === 'attached');
    // Changes during the restart are unknown.
    await eventually('the sentence', () =>
      server.messages.some((each) => each.startsWith('Resources may have changed')),
    );
    upstream.put('a', 'third');
    await eventually('the line', () => server.messages.some((each) => each.startsWith('Resource note://a updated')));
  });
});
