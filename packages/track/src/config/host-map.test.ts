import { describe, expect, it } from 'vitest';
import { builtinEntry } from './config.ts';
import { readHostMap, serverIdOf } from './host-map.ts';

const entryOf = (given: Record<string, unknown>) => readHostMap({ name: given })[0]?.entry;

describe('the id of a server', () => {
  it.each([
    ['github', 'github'],
    ['GitHub Copilot', 'github-copilot'],
    ['My_Server.v2', 'my-server-v2'],
    ['--a--b--', 'a-b'],
    ['Zürich Café', 'zurich-cafe'],
    ['ＦＵＬＬ', 'full'],
    ['ﬁle', 'file'],
    ['日本 7', '7'],
    ['constructor', 'constructor'],
    ['__proto__', 'proto'],
    ['../../etc', 'etc'],
    ['a'.repeat(40), 'a'.repeat(32)],
    [`${'a'.repeat(32)} b`, 'a'.repeat(32)],
    [`${'a'.repeat(31)} b`, 'a'.repeat(31)],
  ])('%j is %j', (name, id) => {
    expect(serverIdOf(name)).toBe(id);
  });

  it('without Latin letters and digits is stable, and differs by name', () => {
    const ids = ['', '日本', '日本語', '🚀', '---', '\u0301'].map(serverIdOf);
    for (const id of ids) expect(id).toMatch(/^server-[0-9a-f]{6}$/);
    expect(new Set(ids).size).toBe(ids.length);
    expect(serverIdOf('日本')).toBe(serverIdOf('日本'));
  });

  it('is one that a configuration accepts', () => {
    for (const name of ['', '-', '日本', 'x'.repeat(1000), '-x'.repeat(500), '\u0000', 'ẞ', 'İ'])
      expect(builtinEntry.safeParse({ id: serverIdOf(name), builtin: 'x' }).error).toBeUndefined();
  });
});

describe('the entry of another host', () => {
  it('keeps the fields that are known here', () => {
    const known = {
      command: 'x',
      args: ['a'],
      env: { A: 'b' },
      envFile: '.env',
      headers: {},
      url: 'http://x',
      description: 'd',
    };
    expect(entryOf({ ...known, type: 'stdio', id: 'other', timeout: 5, constructor: 1 })).toEqual({
      id: 'name',
      ...known,
      trackResources: true,
    });
  });

  it.each<[given: Record<string, unknown>, expected: Record<string, unknown>]>([
    [{ cwd: '/a' }, { workingDirectory: '/a' }],
    [{ cwd: '/a', workingDirectory: '/b' }, { workingDirectory: '/b' }],
    [{ disabled: true }, { enabled: false }],
    [{ disabled: false }, {}],
    [{ disabled: 'true' }, {}],
    [{ disabled: true, enabled: true }, { enabled: true }],
    [{ trackResources: false }, { trackResources: false }],
  ])('%j is read as %j', (given, expected) => {
    expect(entryOf(given)).toEqual({ id: 'name', trackResources: true, ...expected });
  });

  it('is tracked by default only where it does not say', () => {
    const map = { said: { trackResources: true }, silent: {} };
    expect(readHostMap(map).map(({ isTrackedByDefault }) => isTrackedByDefault)).toEqual([false, true]);
  });

  it('has its name in messages, and its map in the order of the file', () => {
    expect(readHostMap({ 'B "x"': {}, a: {} })).toMatchObject([
      { label: 'server "B "x""', isOfHost: true },
      { label: 'server "a"', isOfHost: true },
    ]);
    expect(readHostMap({})).toEqual([]);
  });
});
