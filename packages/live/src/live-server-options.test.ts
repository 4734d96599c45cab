import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { RpcError } from './definition/answer/rpc-error.ts';
import { LimitExceeded } from './base/error.ts';
import { liveServer } from './live-server.ts';
import { SubjectQuotas } from './quota/subject-quotas.ts';

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
    [{ name: 'n', version: '1', limits: [] }, '"limits" must be an object'],
    [{ name: 'n', version: '1', icons: {} }, '"icons" must be a list'],
    [{ name: 'n', version: '1', capabilities: [] }, '"capabilities" must be an object or a function'],
    [{ name: 'n', version: '1', requests: { 'a/b': 5 } }, '"requests" must be an object of functions'],
    [{ name: 'n', version: '1', listens: { jobs: 5 } }, '"listens" must be an object of functions'],
    [{ name: 'n', version: '1', requestState: {} }, '"requestState" must be an object with verify()'],
    [{ name: 'n', version: '1', foo: 5 }, 'liveServer has no option "foo": it takes name, version'],
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
    [{ read: () => 1, complete: { x: 5 } }, 'complete.x of "n://{x}" must be a function, and is 5'],
    [{ read: () => 1, size: '5' }, '"size" must be a number of bytes'],
    [{ read: () => 1, annotations: { priority: 5 } }, '"annotations" must be an object with audience'],
    [{ read: () => 1, icons: {} }, '"icons" must be a list'],
  ])('of a route are checked: %j', (options, message) => {
    const server = liveServer({ name: 'test', version: '1.0.0' });
    expect(() => server.resource('n://{x}', Object.assign(JSON.parse('{}'), options))).toThrow(message);
    expect(() => server.resource(JSON.parse('null'), { read: () => 1 })).toThrow('A template must be a text');
  });

  it('of a route without parameters have no list, and _meta has JSON', () => {
    const server = liveServer({ name: 'test', version: '1.0.0' });
    const _meta = { n: 1n };
    expect(() => server.resource('n://x', { read: () => 1, _meta })).toThrow('"_meta" must be an object that has JSON');
    expect(() => server.resource('n://x', { read: () => 1, list: () => [] })).toThrow('has no parameters');
    expect(() => server.resource('n://x', { read: () => 1, listAfter: () => [] })).toThrow('has no parameters');
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
    for (const act of define('x', { icons: {} }, () => '')) expect(act).toThrow('"icons" must be a list');
    for (const act of define('x', { _meta: { n: 1n } }, () => '')) expect(act).toThrow('an object that has JSON');
    const [hinted] = define('x', { annotations: { readOnlyHint: 'yes' } }, () => '');
    expect(hinted).toThrow('"annotations" must be an object with title (a text) and hints');
    const completing = (complete: object) => define('x', { args: z.object({ a: z.string() }), complete }, () => '')[1];
    expect(completing({ a: 5 })).toThrow('complete.a of prompt "x" must be a function, and is 5');
    expect(completing({ b: () => [] })).toThrow('Prompt "x" completes "b", which is not among its args');
    // As the SDK calls them.
    const [tool, prompt] = define('x', { inputSchema: z.object({}), argsSchema: z.object({}) }, () => '');
    expect(tool).toThrow('Tool "x" has no option "inputSchema": did you mean "input"?');
    expect(prompt).toThrow('Prompt "x" has no option "inputSchema": it takes title, description, args');
    expect(() => server.announce(JSON.parse('null'))).toThrow('A topic must be a text');
    expect(() => server.onClose(JSON.parse('5'))).toThrow('What onClose is given must be a function, and is 5');
  });

  it('of errors and quotas are checked', () => {
    expect(() => new RpcError(JSON.parse('"x"'), 'No.')).toThrow('The code of an RpcError must be a whole number');
    expect(() => new LimitExceeded('No.', JSON.parse('"soon"'))).toThrow('retryAfter');
    expect(() => new SubjectQuotas(JSON.parse('{}'))).toThrow('SubjectQuotas needs "clock"');
  });
});
