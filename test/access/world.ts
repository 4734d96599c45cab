// One hub with the conversations and two servers on the official SDK, and a token or an access token for each caller.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Era, eventually } from '@tidings/live/testing';
import { openVcon } from '@tidings/vcon';
import { type RunningHub, runningHub } from '../hub/running-hub.ts';
import { initialize, rpcRequest } from '../support/wire/raw-http.ts';
import { ScriptedIssuer } from '../support/counterpart/scripted-issuer.ts';
import { SseClient } from '../support/wire/sse-client.ts';
import { supportCall } from '../vcon/workbench.ts';
import {
  type Principal,
  type Target,
  documents,
  issuedGrant,
  redactions,
  removedToken,
  targets,
  telephone,
  tokens,
} from './cells.ts';
import { lenientServer } from './lenient-server.ts';

export interface Answer {
  status: number;
  text: string;
  /** The code of an error, over MCP or HTTP. */
  code: string | undefined;
}

export interface World extends AsyncDisposable {
  hub: RunningHub;
  /** Callers with a token; each has made a request as an MCP client, and has an event stream. */
  callers: readonly Principal[];
  /** The cursor before the changes below. */
  start: string;
  /** Live event streams that were opened before the changes. */
  streams: Map<Principal, SseClient>;
  http(who: Principal, path: string, init?: RequestInit): Promise<Answer>;
  rpc(who: Principal, era: Era, path: string, method: string, params?: Record<string, unknown>): Promise<Answer>;
  headers(who: Principal): Record<string, string>;
  /** The hub's name for a caller. */
  subjectOf(this: void, who: Principal): string;
}

const document = {
  ...supportCall,
  parties: [{ name: 'Jane', tel: telephone }],
  analysis: [{ type: 'summary', vendor: 'x', encoding: 'none', body: `Call ${telephone}.` }],
};

const callers = ['whole', 'allow', 'redact', 'both', 'bound', 'issued'] as const;
const audience = 'https://tidings.example.com/mcp';

export async function openWorld(): Promise<World> {
  const place = await mkdtemp(join(tmpdir(), 'tidings-access-'));
  const docs = await lenientServer('docs', documents.docs);
  const secret = await lenientServer('secret', documents.secret);
  const issuer = await ScriptedIssuer.start();
  const oauth = { issuers: [{ issuer: issuer.issuer, audience, grants: [issuedGrant] }] };
  const issued = await issuer.token({ aud: audience, team: 'docs' });
  const env = Object.fromEntries([...tokens, removedToken].map((token) => [token.env, token.env]));
  const hub = await runningHub({
    servers: [secret.entry, docs.entry, { id: 'vcon', builtin: 'vcon', enabled: true, trackResources: true }],
    builtins: { vcon: () => openVcon({ place, redactions }) },
    config: { tokens: [...tokens, removedToken], oauth },
    token: 'whole',
    env,
  });
  await hub.isLive('docs', 'secret', 'vcon');
  const world = worldOf(hub, issued);
  await world.rpc('whole', 'modern', '/mcp', 'tools/call', { name: 'vcon_create_vcon', arguments: document });
  const call = targets.find(({ name }) => name === 'call');
  await eventually('the conversation to be followed', () =>
    hub.hub.tracker.find('vcon')?.catalog.resources.has(call?.uri ?? ''),
  );
  await hub.isLive('vcon');
  hub.hub.apply({ ...hub.hub.tracker.config, tokens });

  const { cursor: start } = hub.hub.tracker.journal;
  const streams = new Map<Principal, SseClient>();
  for (const who of callers) {
    streams.set(who, await SseClient.open(`${hub.url}/api/mcp/resource-events`, world.headers(who)));
    await world.rpc(who, 'modern', '/mcp', 'tools/list');
    for (const target of targets) await world.http(who, ...hookAbout(target));
  }
  const change = async ({ server, uri }: Target) => {
    if (server === 'docs') return docs.change(uri);
    if (server === 'secret') return secret.change(uri);
    const args = { uuid: supportCall.uuid, updates: { subject: `Changed ${performance.now()}` } };
    await world.rpc('whole', 'modern', '/mcp', 'tools/call', { name: 'vcon_update_vcon', arguments: args });
  };
  // In two rounds: a caller's visible events of the second round come after all hidden events of the first.
  const all = streams.get('whole');
  for (const round of [1, 2]) {
    for (const target of targets) await change(target);
    await eventually(`round ${round}`, () => targets.every(({ uri }) => timesIn(all, uri) >= round));
  }
  const asked = askedOnce(world);
  // Hooks first: a later read by another caller would count as known content.
  for (const who of callers) for (const target of targets) await asked.http(who, ...hookAbout(target));
  return {
    ...world,
    ...asked,
    subjectOf: (who) => (who === 'whole' ? 'token' : who === 'issued' ? `${issuer.issuer}#ada` : who),
    hub,
    callers,
    start,
    streams,
    [Symbol.asyncDispose]: async () => {
      for (const stream of streams.values()) stream.close();
      await hub[Symbol.asyncDispose]();
      await docs[Symbol.asyncDispose]();
      await secret[Symbol.asyncDispose]();
      await issuer[Symbol.asyncDispose]();
      await rm(place, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The hook request of a session that began before the changes, for this resource. */
export function hookAbout({ name, server, uri }: Target): [path: string, init: RequestInit] {
  const body = JSON.stringify({ session_id: name, hook_event_name: 'UserPromptSubmit' });
  const path = `/hooks/codex?server=${server}&uri=${encodeURIComponent(uri)}`;
  return [path, { method: 'POST', headers: { 'content-type': 'application/json' }, body }];
}

export function timesIn(stream: SseClient | undefined, uri: string): number {
  return stream?.updates.filter((each) => each === uri).length ?? 0;
}

function worldOf({ url }: RunningHub, issued: string): Pick<World, 'http' | 'rpc' | 'headers'> {
  const headers = (who: Principal): Record<string, string> =>
    who === 'none' ? {} : { authorization: `Bearer ${who === 'issued' ? issued : who}` };
  const sessions = new Map<string, Promise<Record<string, string>>>();
  let requests = 0;
  const http = async (who: Principal, path: string, init: RequestInit = {}): Promise<Answer> => {
    const given = new Headers(init.headers);
    for (const [name, value] of Object.entries(headers(who))) given.set(name, value);
    const response = await fetch(`${url}${path}`, { ...init, headers: given, redirect: 'manual' });
    const text = await response.text();
    return { status: response.status, text, code: codeIn(text) };
  };
  /** A caller that is not admitted has no session either. */
  const sessionOf = (who: Principal, path: string) => {
    const key = `${who} ${path}`;
    const session = sessions.get(key) ?? initialize(`${url}${path}`, headers(who)).catch(() => headers(who));
    sessions.set(key, session);
    return session;
  };
  const rpc = async (who: Principal, era: Era, path: string, method: string, params: Record<string, unknown> = {}) => {
    const { headers: own, body } = rpcRequest(era, method, params, (requests += 1));
    const session = era === 'legacy' ? await sessionOf(who, path) : {};
    return http(who, path, { method: 'POST', headers: { ...own, ...session }, body: JSON.stringify(body) });
  };
  return { http, rpc, headers };
}

/** Several cells with the same request share its response. */
function askedOnce({ http, rpc }: Pick<World, 'http' | 'rpc'>): Pick<World, 'http' | 'rpc'> {
  const answers = new Map<string, Promise<Answer>>();
  const once = (request: readonly unknown[], ask: () => Promise<Answer>): Promise<Answer> => {
    const key = JSON.stringify(request);
    const answer = answers.get(key) ?? ask();
    answers.set(key, answer);
    return answer;
  };
  return {
    http: (...request) => once(request, () => http(...request)),
    rpc: (...request) => once(request, () => rpc(...request)),
  };
}

function codeIn(text: string): string | undefined {
  return /"(?:code|tidings\/code)":\s*"([A-Z_]+)"/.exec(text)?.[1];
}
