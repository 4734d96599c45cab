// What the operator and other users see of a server with logins per user does not reach a user by any other way: events,
// versions, agent sessions, clients, edits of the configuration, tokens of an issuer.
import { type Era, eventually } from '@tidings/live/testing';
import type { UrlEntry } from '@tidings/track';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ScriptedIssuer } from '../support/counterpart/scripted-issuer.ts';
import { SseClient } from '../support/wire/sse-client.ts';
import { clientsSchema, eventsSchema, resourcesSchema } from '../support/wire/strict-answers.ts';
import { cameBack, hubWithUsers, redirectUri, tokens } from './hub-with-users.ts';

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const me = `/resources/${encodeURIComponent('account://me')}`;

it('events, versions and agent sessions are for the operator only, also after the server was removed', async () => {
  const { hub, accounts, ask, logIn, connect, options } = await hubWithUsers();
  await logIn('ada');
  const ada = await connect('ada');
  const operator = await connect('operator');
  expect(await ada.read('inbox://ada/1')).toBe('ada 1: 0');
  const streams = {
    ada: await SseClient.open(`${hub.url}/api/mcp/resource-events`, bearer(tokens.ada)),
    operator: await SseClient.open(`${hub.url}/api/mcp/resource-events`, bearer(tokens.operator)),
  };
  const updates = async (person: 'ada' | 'operator') => {
    const { events } = eventsSchema.parse(await (await ask(person, '/api/events?last=1000')).json());
    return events.filter((event) => 'serverId' in event && event.serverId === 'accounts').length;
  };
  const waiting = ada.call('wait_for_change', { uris: ['inbox://**'], timeout_seconds: 1 });
  accounts.change('operator', 1);
  accounts.change('ada', 1);
  await eventually('the event', async () => (await updates('operator')) > 1);
  await eventually('the frame', () => streams.operator.frames.some(({ data }) => data.type === 'resource_update'));
  expect(JSON.parse(await operator.call('list_changes')).events.length).toBeGreaterThan(0);
  expect(JSON.parse(await ada.call('list_changes')).events).toEqual([]);
  expect(JSON.parse(await waiting).events).toEqual([]);
  expect(streams.ada.frames.map(({ data }) => data.type)).toEqual(['handshake']);
  expect(await updates('ada')).toBe(0);
  const { events } = eventsSchema.parse(await (await ask('operator', '/api/events?limit=1')).json());
  const replay = `${hub.url}/api/mcp/resource-events?after=${encodeURIComponent(events[0]?.cursor ?? '')}`;
  const replays = [
    await SseClient.open(replay, bearer(tokens.operator)),
    await SseClient.open(replay, bearer(tokens.ada)),
  ];
  await eventually('the replay', () => JSON.stringify(replays[0]?.frames).includes('inbox://operator/1'));
  expect(JSON.stringify(replays[1]?.frames)).not.toContain('accounts');

  const versions = (uri: string) => `/api/versions?uri=${encodeURIComponent(uri)}`;
  expect(await (await ask('ada', versions('inbox://operator/1'))).text()).not.toContain('operator 1');
  expect(JSON.parse(await (await ask('ada', versions('inbox://ada/1'))).text()).versions).toEqual([]);
  expect((await ask('operator', versions('inbox://operator/1'))).status).toBe(200);
  for (const path of ['/api/sessions', '/api/sessions/transcript/transcript'])
    expect((await ask('ada', path)).status).toBe(403);
  const body = { kind: 'stdout' };
  expect((await ask('ada', '/api/sessions', { body })).status).toBe(403);
  expect((await ask('operator', '/api/sessions')).status).toBe(200);
  expect((await ask('ada', '/metrics')).status).toBe(403);
  expect((await ask('operator', '/metrics')).status).toBe(200);
  expect((await ask('ada', '/api/servers/accounts', { method: 'DELETE' })).status).toBe(403);
  expect((await ask('ada', '/api/servers', { body: { id: 'again', url: accounts.url } })).status).toBe(403);

  const tracking = { method: 'PATCH', body: { tracked: false } };
  expect((await ask('ada', '/api/servers/accounts', tracking)).status).toBe(403);
  expect(hub.status('accounts')?.tracked).toBe(true);

  const { resources } = resourcesSchema.parse(await (await ask('ada', '/api/resources')).json());
  expect(resources.map(({ uri }) => uri).filter((uri) => /operator|bob/.test(uri))).toEqual([]);
  expect(resources.some(({ uri }) => uri === 'inbox://ada/1')).toBe(true);
  const { clients } = clientsSchema.parse(await (await ask('ada', '/api/clients')).json());
  expect(new Set(clients.map(({ who }) => who))).toEqual(new Set(['ADA']));
  const agreed = { definitions: [{ kind: 'tool', name: 'whoami', hash: 'x' }] };
  expect((await ask('ada', '/api/servers/accounts/trust', { body: agreed })).status).toBe(403);

  hub.hub.apply({ servers: [], tokens: [], ...options.config });
  await eventually('the removal', () =>
    streams.operator.frames.some(({ data }) => 'state' in data && data.state === 'stopped'),
  );
  expect(await updates('ada')).toBe(0);
  expect(await updates('operator')).toBeGreaterThan(1);
});

describe.each<Era>(['modern', 'legacy'])('an edit of "login", with %s clients', (era) => {
  it('ends what a user has of the connection of the operator', async () => {
    const { hub, accounts, connect, ask, options } = await hubWithUsers({ era, entry: { login: 'shared' } });
    const apply = (login: UrlEntry['login']) =>
      hub.hub.apply({ tokens: [], ...options.config, servers: [accounts.entry({ login })] });
    const ada = await connect('ada');
    expect(await ada.read('account://me')).toBe('operator');
    await ada.subscribe('inbox://operator/1');
    accounts.change('operator', 1);
    await eventually('the update', () => ada.updates.length === 1);
    const before = ada.updates.length;

    apply('per-user');
    await hub.isLive('accounts');
    accounts.change('operator', 1);
    const operator = await connect('operator');
    await operator.subscribe('inbox://operator/1');
    accounts.change('operator', 1);
    await eventually('the update of the operator', () => operator.updates.length > 0);
    expect(ada.updates.slice(before)).toEqual([]);
    expect((await ask('ada', me)).status).toBe(503);
    const again = await connect('ada');
    expect(await again.listAll()).toEqual([]);
    await expect(again.read('inbox://operator/1')).rejects.toThrow('tidings login accounts');

    apply('shared');
    await hub.isLive('accounts');
    await eventually('the shared login', async () => (await (await ask('ada', me)).text()) === 'operator');
  });
});

it('a user is the owner of access tokens, whatever they grant, and no other', async () => {
  const issuer = await ScriptedIssuer.start();
  onTestFinished(() => issuer[Symbol.asyncDispose]());
  const audience = 'https://tidings.example.com/mcp';
  const grants = [{ scope: 'all', everything: true as const }, { servers: ['accounts'] }];
  const { hub, login } = await hubWithUsers({
    config: { oauth: { issuers: [{ issuer: issuer.issuer, audience, grants }] } },
  });
  const ask = (token: string, path: string, body?: object) =>
    fetch(`${hub.url}${path}`, {
      headers: { ...bearer(token), ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
  const tokenOf = (sub: string, scope?: string) => issuer.token({ aud: audience, sub, ...(scope && { scope }) });
  const ada = await tokenOf('ada');
  const { address }: { address: string } = JSON.parse(
    await (await ask(ada, '/api/logins/accounts', { redirectUri })).text(),
  );
  const callback = await cameBack(login, 'ada', address);
  expect((await ask(ada, '/api/logins/accounts/callback', callback)).status).toBe(200);
  expect(await (await ask(ada, me)).text()).toBe('ada');
  expect(await (await ask(await tokenOf('ada', 'all'), me)).text()).toBe('ada');
  for (const other of ['Ada', 'ada ', 'ada (grants.1)', 'ada#', 'token', 'everybody', `${issuer.issuer}#ada`]) {
    expect([401, 503]).toContain((await ask(await tokenOf(other), me)).status);
    expect([401, 503]).toContain((await ask(await tokenOf(other, 'all'), me)).status);
  }
  const message = await (await ask(await tokenOf('bob'), me)).text();
  expect(message).toContain('tidings login accounts --hub https://tidings.example.com');
});

it('a pinned server offers users what was agreed to on the connection of the operator', async () => {
  const { accounts, logIn, connect, hub } = await hubWithUsers({ entry: { pin: true } });
  await logIn('ada');
  const ada = await connect('ada');
  expect(await ada.call('accounts_whoami')).toBe('ada');
  accounts.server.tool('later', {}, () => 'done');
  await eventually('the held tool', () => hub.hub.tracker.upstream('accounts').definitions.heldCount === 1);
  await expect(ada.call('accounts_later')).rejects.toThrow();
  const held = hub.hub.tracker.upstream('accounts').definitions.held();
  await hub.hub.tracker.trust('accounts', held);
  await eventually('the tool', async () => (await ada.call('accounts_later').catch(() => '')) === 'done');
});
