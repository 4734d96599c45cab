// `POST /hooks/{host}`: changes of resources that were read through the gateway, for the hooks of hosts.
import { type Era, eventually } from '@tidings/live/testing';
import { errorAnswer } from '@tidings/client/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hookHosts } from '../../packages/hub/src/hook/hook-host.ts';
import { AskingClient } from './asking-client.ts';
import { changeNote } from './change-note.ts';
import { NotesUpstream } from './notes-upstream.ts';
import { type RunningHub, runningHub } from './running-hub.ts';

const tokens = { AGENT: 'a'.repeat(32), OTHER: 'o'.repeat(32), LIMITED: 'l'.repeat(32) };

let notes: NotesUpstream;
let hub: RunningHub;
beforeAll(async () => {
  notes = await NotesUpstream.start('modern');
  for (const name of ['a', 'b', 'c', 'd', 'e', 'private', 'public', 'busy', 'untracked', 'legacy']) {
    notes.put(name, 'first');
  }
  hub = await runningHub({
    servers: [notes.entry('notes'), notes.entry('untracked', false)],
    config: { tokens: [{ env: 'AGENT' }, { env: 'OTHER' }, { env: 'LIMITED', allow: ['note://public'] }] },
    env: tokens,
  });
  await hub.isLive('notes', 'untracked');
});
afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  await notes[Symbol.asyncDispose]();
});

const change = (name: string) => changeNote(hub, notes, name);

const connect = (era: Era, options: { token: string; info?: string }) =>
  AskingClient.connect(`${hub.url}/mcp`, era, options);

interface Posted {
  token?: string;
  host?: string;
  query?: string;
  headers?: Record<string, string>;
}

function post(body: string, { token = tokens.AGENT, host = 'claude-code', query = '', headers }: Posted = {}) {
  return fetch(`${hub.url}/hooks/${host}${query}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
    body,
  });
}

/** The response to the hook of a session. */
async function hook(session: string, event: string, posted: Posted = {}): Promise<unknown> {
  const response = await post(JSON.stringify({ session_id: session, hook_event_name: event }), posted);
  expect(response.status).toBe(200);
  return response.json();
}

const said = (additionalContext: string, hookEventName = 'UserPromptSubmit') => ({
  hookSpecificOutput: { hookEventName, additionalContext },
});
const changed = (uri: string) =>
  `MCP resources that changed since they were read: ${uri} (1); read again what you rely on.`;
const prompt = 'UserPromptSubmit';

describe('the hook of a host', () => {
  it.each(['modern', 'legacy'] as const)('reports the changes since the reads of a %s client once', async (era) => {
    const session = `once-${era}`;
    const name = era === 'modern' ? 'a' : 'legacy';
    await using client = await connect(era, { token: tokens.AGENT, info: 'claude-code' });
    expect(await hook(session, prompt)).toEqual({});
    await client.client.readResource({ uri: `note://${name}` });
    expect(await hook(session, prompt)).toEqual({});
    await change(name);
    expect(await hook(session, prompt)).toEqual(said(changed(`note://${name}`)));
    expect(await hook(session, prompt)).toEqual({});
    await client.client.readResource({ uri: `note://${name}` });
    await change(name);
    expect(await hook(session, 'PostToolUse')).toEqual(said(changed(`note://${name}`), 'PostToolUse'));
  });

  it('reports changes of subscribed resources, also of a server that is not tracked', async () => {
    await using client = await connect('modern', { token: tokens.AGENT, info: 'bridge' });
    const uri = 'tidings://untracked/note%3A%2F%2Funtracked';
    await client.client.listen({ resourceSubscriptions: [uri] });
    expect(await hook('untracked', prompt)).toEqual({});
    notes.put('untracked', 'second');
    await eventually('the hook to say it', async () => {
      const answer = await hook('untracked', prompt);
      return JSON.stringify(answer) === JSON.stringify(said(changed(uri)));
    });
  });

  it('reports nothing to other tokens, and to a limited token only permitted resources', async () => {
    for (const token of Object.values(tokens)) expect(await hook('tokens', prompt, { token })).toEqual({});
    await using agent = await connect('modern', { token: tokens.AGENT });
    await using limited = await connect('modern', { token: tokens.LIMITED });
    await agent.client.readResource({ uri: 'note://private' });
    await limited.client.readResource({ uri: 'note://public' });
    for (const name of ['private', 'public']) await change(name);
    expect(await hook('tokens', prompt, { token: tokens.OTHER })).toEqual({});
    const ofLimited = said(changed('note://public'));
    expect(await hook('tokens', prompt, { token: tokens.LIMITED })).toEqual(ofLimited);
    expect(await hook('tokens', prompt)).toEqual(said(changed('note://private')));
    const query = '?uri=note://**';
    await hook('tokens', prompt, { token: tokens.LIMITED, query });
    for (const name of ['private', 'public']) await change(name);
    const chosen = await hook('tokens', prompt, { token: tokens.LIMITED, query });
    expect(JSON.stringify(chosen)).toContain('note://public (2)');
    expect(JSON.stringify(chosen)).not.toContain('private');
  });

  it('reports the resources selected by its URL, read or not', async () => {
    const query = '?server=notes&uri=note://d';
    expect(await hook('chosen', prompt, { query })).toEqual({});
    await change('d');
    await change('e');
    expect(await hook('chosen', prompt, { query })).toEqual(said('MCP resources that changed: note://d (1).'));
  });

  it('is empty for an unknown event, whatever its other fields are', async () => {
    for (const host of hookHosts) {
      for (const event of ['None', 'constructor', '__proto__']) expect(await hook('x', event, { host })).toEqual({});
      const response = await post(JSON.stringify({ hook_event_name: 'None' }), { host });
      expect([response.status, await response.json()]).toEqual([200, {}]);
    }
  });
});

describe('an invalid hook request', () => {
  const input = { session_id: 's', hook_event_name: prompt };
  const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

  it.each([
    ['no JSON', '{', 400, 'INVALID_PARAMS'],
    ['nothing', '', 400, 'INVALID_PARAMS'],
    ['no object', '[]', 400, 'INVALID_PARAMS'],
    ['very deep', deep(200_000), 400, 'INVALID_PARAMS'],
    ['without its event', JSON.stringify({ session_id: 's' }), 400, 'INVALID_PARAMS'],
    ['without its session', JSON.stringify({ hook_event_name: prompt }), 400, 'INVALID_PARAMS'],
    ['of wrong types', JSON.stringify({ ...input, session_id: { $ne: null } }), 400, 'INVALID_PARAMS'],
    ['of a session with a long name', JSON.stringify({ ...input, session_id: 's'.repeat(300) }), 400, 'INVALID_PARAMS'],
    ['too large', JSON.stringify({ ...input, tool_response: 'x'.repeat(9_000_000) }), 429, 'LIMIT_EXCEEDED'],
  ])('that is %s is refused', async (_what, body, status, code) => {
    const response = await post(body);
    const { error } = errorAnswer.parse(await response.json());
    expect([response.status, error.code]).toEqual([status, code]);
    expect(error.message).not.toBe('');
  });

  it('of an unknown host is answered with 404 and the known hosts', async () => {
    for (const host of ['none', 'toString', 'claude']) {
      const response = await post(JSON.stringify(input), { host });
      const { error } = errorAnswer.parse(await response.json());
      expect([response.status, error.code]).toEqual([404, 'RESOURCE_NOT_FOUND']);
      expect(error.message).toContain('claude-code, codex, vscode, cursor, gemini');
    }
  });

  it.each([
    ['a form of another page', { 'Content-Type': 'text/plain' }, 415],
    ['another page', { Origin: 'https://example.com' }, 403],
    ['another token', { Authorization: 'Bearer wrong' }, 401],
  ])('from %s is refused', async (_what, headers, status) => {
    expect((await post(JSON.stringify(input), { headers })).status).toBe(status);
  });

  it.each([`?uri=${'*'.repeat(100)}`, `?uri=${'x'.repeat(3000)}`, `?server=${'x'.repeat(3000)}`])(
    'with the selection %s is refused',
    async (query) => {
      expect((await post(JSON.stringify(input), { query })).status).toBe(400);
    },
  );

  it('with large tool output, unusual names or deep values is accepted', async () => {
    const odd = { ...input, session_id: '\u0000\u202E{"a":1}', tool_response: 'x'.repeat(7_000_000) };
    expect((await post(JSON.stringify(odd))).status).toBe(200);
    const inDepth = `{"session_id":"s","hook_event_name":"${prompt}","tool_input":${deep(5000)}}`;
    expect((await post(inDepth)).status).toBe(200);
  });

  it('repeated with many sessions does not affect the sessions of another token', async () => {
    await using client = await connect('modern', { token: tokens.AGENT });
    await hook('kept', prompt);
    await client.client.readResource({ uri: 'note://b' });
    for (let n = 0; n < 300; n += 1) await hook(`flood-${n}`, prompt, { token: tokens.OTHER });
    await change('b');
    expect(await hook('kept', prompt)).toEqual(said(changed('note://b')));
  });
});
