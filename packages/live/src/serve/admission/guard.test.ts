import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type GuardOptions, createGuard, createHostGuard, createWebGuard, ownHostNames } from './guard.ts';

function request(headers: Record<string, string>): IncomingMessage {
  const req = new IncomingMessage(new Socket());
  Object.assign(req.headers, headers);
  return req;
}
const passes = (options: GuardOptions, headers: Record<string, string>) => {
  try {
    createGuard(options)(request(headers));
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'PERMISSION_DENIED' });
    return false;
  }
};
const overTls = { isTls: () => true };
const overHttp = { isTls: () => false };

describe('the Host', () => {
  it.each([
    ['localhost', true],
    ['localhost:8080', true],
    ['LOCALHOST:8080', true],
    ['127.0.0.1:1', true],
    ['[::1]:8080', true],
    ['localhost.evil.example', false],
    ['evil.example', false],
    ['evil.example:80', false],
    ['evil.example/localhost', false],
    ['127.0.0.2', false],
    ['[::2]', false],
    ['localhost:port', false],
    ['a b', false],
    ['__proto__', false],
    ['', false],
  ])('%j is one of the loopback: %s', (host, isOwn) => {
    expect(passes({}, { host })).toBe(isOwn);
    if (isOwn) expect(() => createHostGuard({})(request({ host }))).not.toThrow();
    else expect(() => createHostGuard({})(request({ host }))).toThrow(`Host "${host}" is not one of this server's`);
  });

  it('is required', () => {
    expect(passes({}, {})).toBe(false);
    expect(passes({}, { origin: 'http://localhost' })).toBe(false);
  });

  it('is in the authority of an HTTP/2 request', () => {
    expect(passes({}, { ':authority': 'localhost:1' })).toBe(true);
    expect(passes({}, { ':authority': 'evil.example' })).toBe(false);
    expect(passes({}, { host: 'evil.example', ':authority': 'localhost' })).toBe(false);
  });

  it('must be in the list, if there is one', () => {
    expect(passes({ allowedHosts: ['a.example'] }, { host: 'a.example:8443' })).toBe(true);
    expect(passes({ allowedHosts: ['a.example'] }, { host: 'localhost' })).toBe(false);
    expect(passes({ allowedHosts: [] }, { host: 'localhost' })).toBe(false);
  });

  it('is checked again in a list that can change, and never in one that was copied', () => {
    const names = ['a.example'];
    const changing = createGuard({ allowedHosts: () => names });
    const fixed = createGuard({ allowedHosts: names });
    const req = request({ host: 'a.example' });
    changing(req);
    fixed(req);
    names.length = 0;
    expect(() => changing(req)).toThrow('Host "a.example"');
    expect(() => fixed(req)).not.toThrow();
  });

  it('that was refused is refused again, also after one that passed', () => {
    const guard = createGuard({});
    guard(request({ host: 'localhost' }));
    for (const _ of [1, 2]) expect(() => guard(request({ host: 'evil.example' }))).toThrow('evil.example');
  });

  it('that is refused is named with the setting that the user knows', () => {
    const guard = createGuard({ settings: { hosts: '--host', origins: '--cors' } });
    expect(() => guard(request({ host: 'x' }))).toThrow('add it to --host');
    expect(() => guard(request({ host: 'localhost', origin: 'http://x' }))).toThrow('to --cors');
  });
});

describe('the Origin', () => {
  const host = 'localhost:8080';
  it.each([
    ['http://localhost:8080', overHttp, true],
    ['https://localhost:8080', overHttp, false],
    ['https://localhost:8080', overTls, true],
    ['http://localhost:8080', overTls, false],
    ['http://localhost:8081', overHttp, false],
    ['http://localhost', overHttp, false],
    ['http://127.0.0.1:8080', overHttp, false],
    ['http://localhost:8080/', overHttp, false],
    ['null', overHttp, false],
    ['', overHttp, false],
    ['file://', overHttp, false],
    ['http://localhost:8080, http://evil.example', overHttp, false],
  ])('%j with %j may call: %s', (origin, options, mayCall) => {
    expect(passes(options, { host, origin })).toBe(mayCall);
  });

  it('is not needed', () => {
    expect(passes({}, { host })).toBe(true);
  });

  it.each([
    ['https://app.example', 'https://app.example', true],
    ['https://app.example', 'https://app.example:443/path', true],
    ['https://app.example', 'HTTPS://APP.example', true],
    ['http://app.example', 'https://app.example', false],
    ['https://app.example:8443', 'https://app.example', false],
    ['https://app.example.evil', 'https://app.example', false],
  ])('%s may call where %s is allowed: %s', (origin, allowed, mayCall) => {
    expect(passes({ allowedOrigins: [allowed] }, { host, origin })).toBe(mayCall);
    expect(passes({ allowedOrigins: () => [allowed] }, { host, origin })).toBe(mayCall);
  });

  it('has the port of its scheme where the Host names it', () => {
    expect(passes(overHttp, { host: 'localhost:80', origin: 'http://localhost' })).toBe(true);
    expect(passes(overTls, { host: 'localhost:443', origin: 'https://localhost' })).toBe(true);
    expect(passes(overTls, { host: 'localhost:80', origin: 'https://localhost' })).toBe(false);
  });

  it.each(['app.example', '', '*', 'null', 'file:///a', 'about:blank', 'app.example:8443'])(
    'that is allowed may not be %j',
    (allowed) => {
      expect(() => createGuard({ allowedOrigins: [allowed] })).toThrow(TypeError);
      expect(() => createGuard({ allowedOrigins: () => [allowed] })).toThrow(TypeError);
    },
  );

  it('is not checked where pages of any origin may read', () => {
    expect(() => createHostGuard({})(request({ host, origin: 'https://evil.example' }))).not.toThrow();
  });
});

it('a connection with TLS is recognised', () => {
  const req = request({ host: 'localhost', origin: 'https://localhost' });
  expect(() => createGuard({})(req)).toThrow('Origin');
  Object.assign(req.socket, { encrypted: true });
  expect(() => createGuard({})(req)).not.toThrow();
});

describe('a web request', () => {
  const guard = createWebGuard({});
  const web = (url: string, headers: Record<string, string> = {}) => new Request(url, { headers });
  it('has its Host in the header, or in its URL', () => {
    guard(web('http://localhost:1/mcp'));
    guard(web('http://evil.example/', { host: 'localhost' }));
    expect(() => guard(web('http://evil.example/'))).toThrow('Host "evil.example"');
    expect(() => guard(web('http://localhost/', { host: 'evil.example' }))).toThrow('Host "evil.example"');
  });

  it('has the scheme of its URL', () => {
    guard(web('https://localhost/', { origin: 'https://localhost' }));
    guard(web('http://localhost/', { origin: 'http://localhost' }));
    expect(() => guard(web('https://localhost/', { origin: 'http://localhost' }))).toThrow('Origin');
  });
});

it.each([
  ['127.0.0.1', []],
  ['localhost', []],
  ['a.example', ['a.example']],
  ['::1', []],
  ['fe80::1', ['[fe80::1]']],
  ['[fe80::1]', ['[fe80::1]']],
])('a server at %s has these names besides the loopback: %j', (host, more) => {
  const loopback = ['localhost', '127.0.0.1', '[::1]'];
  expect(ownHostNames(host).toSorted()).toEqual([...loopback, ...more].toSorted());
});
