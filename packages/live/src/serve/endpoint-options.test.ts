import { describe, expect, it } from 'vitest';
import { liveServer } from '../live-server.ts';
import { httpEndpoint, serveHttp } from './http.ts';
import { serveMemory } from './memory.ts';
import { serveStdio } from './stdio.ts';
import { webEndpoint } from './web-endpoint.ts';

const server = liveServer({ name: 'notes', version: '1.0.0' });
/** Values that plain JavaScript may pass. */
const untyped = (value: object) => Object.assign(JSON.parse('{}'), value);

describe('options', () => {
  it.each<[object, string]>([
    [{ allowHosts: ['a.example'] }, 'has no option "allowHosts": did you mean "allowedHosts"?'],
    [{ allowedHosts: 'a.example' }, '"allowedHosts" must be a list of host names'],
    [{ allowedHosts: ['localhost:3000'] }, '"allowedHosts" must be a list of host names without scheme and port'],
    [{ allowedHosts: ['https://a.example'] }, '"allowedHosts" must be a list of host names without scheme and port'],
    [{ allowedOrigins: [5] }, '"allowedOrigins" must be a list of texts or a function'],
    [{ keepAliveMs: -1 }, '"keepAliveMs" must be a number of milliseconds from 0 to 2147483647, and is -1'],
    [{ sessionIdleMs: Number.NaN }, '"sessionIdleMs" must be a number of milliseconds'],
    [{ authenticate: 'Bearer' }, '"authenticate" must be a function'],
    [{ challenge: '' }, '"challenge" must be a text that is not empty'],
  ])('of endpoints are checked: %j', async (options, message) => {
    expect(() => httpEndpoint(server, untyped(options))).toThrow(
      `httpEndpoint${message.startsWith('"') ? ':' : ''} ${message}`,
    );
    expect(() => webEndpoint(server, untyped(options))).toThrow(message);
    await expect(serveHttp(server, untyped(options))).rejects.toThrow(message);
  });

  it.each<[object, string]>([
    [{ port: Number.NaN }, 'serveHttp: "port" must be a whole number from 0 to 65535, and is NaN'],
    [{ port: '3000' }, 'serveHttp: "port" must be a whole number from 0 to 65535'],
    [{ path: 'mcp' }, 'serveHttp: "path" must be a path that starts with "/", and is \'mcp\''],
    [{ host: '' }, 'serveHttp: "host" must be a text'],
    [{ prot: 5 }, 'serveHttp has no option "prot": did you mean "port"?'],
  ])('of a server over HTTP are checked: %j', async (options, message) => {
    await expect(serveHttp(server, untyped(options))).rejects.toThrow(message);
  });

  it('of stdio and memory are checked', () => {
    expect(() => serveStdio(server, untyped({ inputs: 5 }))).toThrow('serveStdio has no option "inputs"');
    expect(() => serveStdio(server, untyped({ input: 5 }))).toThrow('serveStdio: "input" must be an object with on()');
    expect(() => serveMemory(server, untyped({ auth: 'ada' }))).toThrow('serveMemory: "auth" must be an object');
  });

  it('that only Node supports are refused by the web endpoint', () => {
    expect(() => webEndpoint(server, untyped({ room: () => undefined }))).toThrow('webEndpoint has no option "room"');
  });

  it('may be undefined, as absent', async () => {
    const { close } = await serveHttp(server, untyped({ keepAliveMs: undefined, port: undefined, path: undefined }));
    await close();
  });
});

it.each(Object.entries({ httpEndpoint, webEndpoint, serveHttp, serveStdio, serveMemory }))(
  '%s needs a server of the kit',
  async (name, serve) => {
    const given = untyped({ name: 'notes' });
    await expect((async () => serve(given))()).rejects.toThrow(`${name} needs a server made with liveServer()`);
  },
);
