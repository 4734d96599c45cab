import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { liveServer } from './live-server.ts';

describe('options', () => {
  it.each<[object, string]>([
    [{}, 'liveServer needs "name": a text'],
    [{ name: 'n' }, 'liveServer needs "version"'],
    [{ name: '', version: '1' }, '"name" must be a text that is not empty, and is \'\''],
    [
      { name: 'n', version: '1', pageSize: Number.NaN },
      '"pageSize" must be a whole number from 1 on, or Infinity, and is NaN',
    ],
    [{ name: 'n', version: '1', pageSize: 0 }, '"pageSize" must be'],
    [
      { name: 'n', version: '1', windowMs: -5 },
      '"windowMs" must be a number of milliseconds from 0 to 2147483647, and is -5',
    ],
    [{ name: 'n', version: '1', listWindowMs: Infinity }, '"listWindowMs" must be'],
    [{ name: 'n', version: '1', limits: { streams: 0.5 } }, 'limits of liveServer: "streams" must be'],
    [
      { name: 'n', version: '1', limits: { stream: 5 } },
      'limits of liveServer has no option "stream": did you mean "streams"?',
    ],
    [{ name: 'n', version: '1', windowms: 5 }, 'liveServer has no option "windowms": did you mean "windowMs"?'],
    [{ name: 'n', version: '1', port: 5 }, 'liveServer has no option "port": it takes name, version'],
    [{ name: 'n', version: '1', log: console.log }, '"log" must be an object with warn() and error()'],
    [{ name: 'n', version: '1', authorize: true }, '"authorize" must be a function, and is true'],
  ])('of a server are checked: %j', (options, message) => {
    expect(() => liveServer(Object.assign(JSON.parse('{}'), options))).toThrow(message);
  });

  it.each<[object, string]>([
    [{}, 'Route "n://{x}" needs "read": a function'],
    [{ read: 5 }, '"read" must be a function, and is 5'],
    [{ read: () => 1, windowMs: Number.NaN }, '"windowMs" must be'],
    [{ read: () => 1, ttlMs: -1 }, '"ttlMs" must be'],
    [{ read: () => 1, cacheScope: 'all' }, '"cacheScope" must be "public" or "private", and is \'all\''],
    [{ read: () => 1, lists: () => [] }, 'has no option "lists"'],
    [{ read: () => 1, complete: { y: () => [] } }, 'completes "y", which its template does not have'],
  ])('of a route are checked: %j', (options, message) => {
    const server = liveServer({ name: 'test', version: '1.0.0' });
    expect(() => server.resource('n://{x}', Object.assign(JSON.parse('{}'), options))).toThrow(message);
    expect(() => server.resource(JSON.parse('null'), { read: () => 1 })).toThrow('A template must be a text');
  });

  it('of tools and prompts are checked, and topics', () => {
    const server = liveServer({ name: 'test', version: '1.0.0' });
    const define = (...args: unknown[]) =>
      (['tool', 'prompt'] as const).map((kind) => () => Reflect.apply(Reflect.get(server, kind), server, args));
    for (const act of define('x', () => '')) expect(act).toThrow('needs options and a handler: write');
    for (const act of define('x', {})) expect(act).toThrow('"x" needs options and a handler');
    for (const act of define('', {}, () => '')) expect(act).toThrow('must be a text that is not empty');
    for (const act of define('x', 'text', () => '')) expect(act).toThrow("must be an object, and is 'text'");
    for (const act of define('x', { titel: 'X' }, () => '')) expect(act).toThrow('did you mean "title"?');
    for (const act of define('x', { visibleTo: true }, () => ''))
      expect(act).toThrow('must be a function, and is true');
    // As the SDK calls them.
    const [tool, prompt] = define('x', { inputSchema: z.object({}), argsSchema: z.object({}) }, () => '');
    expect(tool).toThrow('Tool "x" has no option "inputSchema": did you mean "input"?');
    expect(prompt).toThrow('Prompt "x" has no option "inputSchema": it takes title, description, args');
    expect(() => server.announce(JSON.parse('null'))).toThrow('A topic must be a text');
  });
});
