import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Caller } from '@tidings/live';
import { FakeClock } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { Grant, type Principal } from '../../access/grant.ts';
import { RecordingAuditLog } from '../../testing/recording-audit-log.ts';
import { HttpAudit } from './http-audit.ts';

const ada: Principal = { subject: 'ada', grant: new Grant({ tools: ['notes_add'], prompts: ['notes_ask'] }) };

function auditing({ withArguments = false, isAdmitted = true } = {}) {
  const audit = new RecordingAuditLog();
  const clock = new FakeClock();
  const log = new HttpAudit({
    audit,
    clock,
    callers: { admittedOf: () => (isAdmitted ? { principal: ada } : undefined) },
    forwarded: { addressOf: () => '192.0.2.1', isTls: () => false },
    withArguments: () => withArguments,
  });
  return { audit, clock, log };
}

function request(url: string, method = 'GET', headers: Record<string, string> = {}) {
  const req = Object.assign(new IncomingMessage(new Socket()), { url, method, headers });
  return { req, res: new ServerResponse(req) };
}

describe('a request', () => {
  it('is recorded once, when it is answered, with its time', async () => {
    const { audit, clock, log } = auditing();
    const { req, res } = request('/api/servers', 'GET', { 'user-agent': 'x'.repeat(500) });
    log.follow(req, res, { principal: ada });
    clock.advance(12.346);
    expect(audit.entries).toEqual([]);
    res.writeHead(200);
    res.emit('close');
    res.emit('close');
    expect(audit.entries).toEqual([
      {
        address: '192.0.2.1',
        client: 'x'.repeat(200),
        method: 'GET /api/servers',
        uri: undefined,
        who: 'ada',
        outcome: 'ok',
        code: undefined,
        ms: 12.35,
      },
    ]);
  });

  it('that is a stream is recorded when it begins, and not again', () => {
    const { audit, log } = auditing();
    const { req, res } = request('/events');
    log.follow(req, res, { principal: ada })();
    res.emit('close');
    expect(audit.entries).toHaveLength(1);
  });

  it.each([
    [200, undefined, 'ok'],
    [403, 'PERMISSION_DENIED', 'refused'],
    // Work ends with such an error when it is cancelled, too.
    [500, 'CANCELLED', 'error'],
    [undefined, 'CANCELLED', 'error'],
  ])(
    'whose client leaves before the answer, which would have been %s, has the code %s: %s',
    (status, code, outcome) => {
      const { audit, log } = auditing();
      const { req, res } = request('/api/servers', 'POST');
      log.follow(req, res, { principal: ada });
      res.emit('close');
      expect(audit.entries).toEqual([]);
      if (status !== undefined) res.writeHead(status);
      log.done(req);
      expect(audit.entries).toMatchObject([{ who: 'ada', code, outcome }]);
    },
  );

  it('whose client is known to have left only when the work is done is recorded then', () => {
    const { audit, log } = auditing();
    const { req, res } = request('/api/servers', 'POST');
    log.follow(req, res, { principal: ada });
    log.done(req);
    res.emit('close');
    expect(audit.entries).toMatchObject([{ code: 'CANCELLED', outcome: 'error' }]);
  });

  it('that is still worked on for a client that left is recorded when the hub closes', () => {
    const { audit, log } = auditing();
    const { req, res } = request('/api/servers', 'POST');
    log.follow(req, res, { principal: ada });
    res.emit('close');
    log.close();
    log.done(req);
    expect(audit.entries).toMatchObject([{ code: 'CANCELLED', outcome: 'error' }]);
  });

  it.each([
    [200, undefined, undefined, 'ok'],
    [399, undefined, undefined, 'ok'],
    [404, undefined, 'RESOURCE_NOT_FOUND', 'error'],
    [403, undefined, 'PERMISSION_DENIED', 'refused'],
    [429, undefined, 'LIMIT_EXCEEDED', 'refused'],
    [418, undefined, 'HTTP_418', 'error'],
    [400, 'WRONG_TOKEN', 'WRONG_TOKEN', 'refused'],
    // The form of another page, whatever was noted.
    [415, 'WRONG_TOKEN', 'UNSUPPORTED_MEDIA_TYPE', 'refused'],
    // A note does not make a success a failure.
    [200, 'WRONG_TOKEN', undefined, 'ok'],
  ])('with the status %i, noted as %s, has the code %s: %s', (status, noted, code, outcome) => {
    const { audit, log } = auditing();
    const { req, res } = request('/api/servers');
    if (noted !== undefined) log.failed(req, noted);
    res.statusCode = status;
    log.follow(req, res, { principal: ada })();
    expect(audit.entries).toMatchObject([{ code, outcome }]);
  });

  it.each([
    ['/resources/note%3A%2F%2Fa', 'GET /resources', 'note://a'],
    ['/resources/note://a?x=1', 'GET /resources', 'note://a'],
    ['/resources/%zz', 'GET /resources', '%zz'],
    ['/resources/https%3A%2F%2Fme%3Aword%40x%2F%3Ftoken%3Ds', 'GET /resources', 'https://me:…@x/?token=…'],
    [`/resources/${'a'.repeat(9000)}`, 'GET /resources', 'a'.repeat(2000)],
    ['/resources/', 'GET /resources', ''],
    ['/resources', 'GET /resources', undefined],
    ['/%61pi/../mcp', 'GET /mcp', undefined],
    ['/a%2fb', 'GET /a/b', undefined],
    ['/a%zz', 'GET /a%zz', undefined],
    ['/hooks/https%3A%2F%2Fx%2F%3Ftoken%3Ds', 'GET /hooks/https://x/?token=…', undefined],
    ['/api?token=secret', 'GET /api', undefined],
    ['http://hub.example/api', 'GET /api', undefined],
    ['//evil/api', 'GET //evil/api', undefined],
    ['*', 'GET *', undefined],
    [`/${'a'.repeat(900)}`, `GET /${'a'.repeat(199)}`, undefined],
  ])('for %s is recorded as %s of %j', (url, method, uri) => {
    const { audit, log } = auditing();
    const { req, res } = request(url);
    log.follow(req, res, { principal: ada })();
    expect(audit.entries).toMatchObject([{ method, uri }]);
  });
});

describe('a refused request', () => {
  it('is recorded with its caller, or with the owner of its token', () => {
    const { audit, log } = auditing();
    log.refused(request('/mcp', 'POST').req, 429, { principal: ada, subject: 'other' });
    log.refused(request('/mcp', 'POST').req, 403, { subject: 'id#sub' });
    log.refused(request('/mcp', 'POST').req, 401);
    expect(audit.entries.map(({ who, code, method }) => [who, code, method])).toEqual([
      ['ada', 'LIMIT_EXCEEDED', 'POST /mcp'],
      ['id#sub', 'PERMISSION_DENIED', 'POST /mcp'],
      ['-', 'PERMISSION_DENIED', 'POST /mcp'],
    ]);
  });

  it('is not recorded a second time if it is followed already', () => {
    const { audit, log } = auditing();
    const { req, res } = request('/mcp');
    log.follow(req, res, { principal: ada });
    log.refused(req, 401);
    expect(audit.entries).toEqual([]);
  });

  it('of unknown callers is counted after the first of a minute, and of others always recorded', async () => {
    const { audit, clock, log } = auditing();
    for (let n = 0; n < 30; n += 1) log.refused(request('/mcp').req, 401);
    for (let n = 0; n < 30; n += 1) log.refused(request('/mcp').req, 429, { principal: ada });
    for (let n = 0; n < 30; n += 1) log.login(request('/login').req, 'login', { who: '-', outcome: 'refused' });
    expect(audit.entries.filter(({ who }) => who === '-')).toHaveLength(10);
    expect(audit.entries.filter(({ who }) => who === 'ada')).toHaveLength(30);
    clock.advance(60_000);
    expect(audit.entries.at(-1)).toMatchObject({ code: 'REPEATED', count: 50 });
    log.close();
    expect(audit.entries).toHaveLength(41);
  });
});

it('logins that succeed, and decisions, are recorded with their callers', () => {
  const { audit, log } = auditing();
  const { req } = request('/login', 'POST', { 'user-agent': 'browser' });
  const from = { address: '192.0.2.1', client: 'browser', outcome: 'ok' };
  for (let n = 0; n < 20; n += 1) log.login(req, 'logout', { who: 'ada', outcome: 'ok' });
  expect(audit.entries).toHaveLength(20);
  expect(audit.entries[0]).toEqual({ ...from, method: 'logout', who: 'ada' });
  log.decided(req, { method: 'trust', server: 'notes', detail: 'tools' });
  expect(audit.entries.at(-1)).toEqual({ ...from, method: 'trust', server: 'notes', detail: 'tools', who: 'ada' });
  const unknown = auditing({ isAdmitted: false });
  unknown.log.decided(req, { method: 'trust' });
  expect(unknown.audit.entries).toMatchObject([{ who: '-' }]);
});

describe('a request of MCP', () => {
  const caller: Caller = { era: 'modern', transport: 'http', auth: { ...ada } };
  const call = (name: string, method = 'tools/call', server: string | undefined = 'notes', withArguments = false) => {
    const { audit, log } = auditing({ withArguments });
    log.observer(server)({ caller, method, params: { name, arguments: { a: 1 } }, ms: 1 });
    return audit.entries[0];
  };

  it.each([
    ['tools/call', 'notes', 'add', 'ok'],
    ['tools/call', 'notes', 'drop', 'refused'],
    ['tools/call', 'notes', 'ask', 'refused'],
    ['tools/call', 'other', 'add', 'refused'],
    ['tools/call', 'notes', 'list_changes', 'ok'],
    ['tools/call', 'notes', 'wait_for_change', 'ok'],
    ['prompts/get', 'notes', 'ask', 'ok'],
    ['prompts/get', 'notes', 'add', 'refused'],
    ['prompts/get', 'notes', 'list_changes', 'refused'],
    ['tools/call', 'notes', 'constructor', 'refused'],
  ])('%s at %s of %s is %s', (method, server, name, outcome) => {
    expect(call(name, method, server)).toMatchObject({ who: 'ada', server, name, outcome });
  });

  it('has the names of all servers at the endpoint of the hub', () => {
    const { audit, log } = auditing();
    const observe = log.observer();
    for (const name of ['notes_add', 'notes_drop']) observe({ caller, method: 'tools/call', params: { name }, ms: 1 });
    expect(audit.entries.map(({ outcome }) => outcome)).toEqual(['ok', 'refused']);
  });

  it('has its arguments only if the configuration says so', () => {
    expect(call('add')?.arguments).toBeUndefined();
    expect(call('add', 'tools/call', 'notes', true)?.arguments).toEqual({ a: 1 });
  });
});
