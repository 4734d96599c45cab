import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@tidings/live/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileStamp } from '../base/file-stamp.ts';
import type { Config } from './config.ts';
import { findConfig } from './find-config.ts';
import { type ConfigWatcher, loadConfig, watchConfig } from './watch-config.ts';

describe('a configuration file', () => {
  const clock = new FakeClock();
  let folder: string;
  let file: string;
  let watcher: ConfigWatcher;
  let changed: Config[];
  let rejected: unknown[];

  const write = (...ids: string[]) =>
    writeFileSync(file, JSON.stringify({ servers: ids.map((id) => ({ id, command: 'x' })) }));

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tidings-watch-'));
    file = join(folder, 'mcp-servers.json');
    write('a');
    [changed, rejected] = [[], []];
    const listener = {
      changed: (config: Config) => changed.push(config),
      rejected: (error: unknown) => rejected.push(error),
    };
    watcher = watchConfig({ file, env: {} }, listener, clock);
  });

  afterEach(() => {
    watcher.close();
    expect(clock.waiting).toBe(0);
    rmSync(folder, { recursive: true });
  });

  it('takes effect within five seconds when it is edited', () => {
    clock.advance(5000);
    expect(changed).toEqual([]);
    write('a', 'b');
    clock.advance(5000);
    expect(changed.map(({ servers }) => servers.map(({ id }) => id))).toEqual([['a', 'b']]);
  });

  it('takes effect when it was edited between its reading and the beginning of the watch', () => {
    watcher.close();
    const since = fileStamp(file);
    expect(loadConfig({ file, env: {} }).servers).toHaveLength(1);
    write('a', 'b');
    const listener = { changed: (config: Config) => changed.push(config), rejected: expect.unreachable };
    watcher = watchConfig({ file, env: {}, since }, listener, clock);
    clock.advance(5000);
    expect(changed.map(({ servers }) => servers.map(({ id }) => id))).toEqual([['a', 'b']]);
  });

  it('may be replaced by another file, as editors do', () => {
    writeFileSync(`${file}.new`, '{"servers": []}');
    renameSync(`${file}.new`, file);
    clock.advance(5000);
    expect(changed).toEqual([{ servers: [], tokens: [] }]);
  });

  it('stays in force while the file system refuses it', () => {
    rmSync(file);
    symlinkSync(file, file);
    clock.advance(5000);
    expect(String(rejected)).toContain('ELOOP');
    rmSync(file);
    write('a', 'b');
    clock.advance(5000);
    expect(changed).toHaveLength(1);
  });

  it('stays in force after an invalid edit or its removal, until it is valid again', () => {
    writeFileSync(file, '{"servers": [{"id": "a"}]}');
    clock.advance(5000);
    expect(rejected).toHaveLength(1);
    expect(String(rejected[0])).toContain(`${file}: servers[0] ("a"): needs exactly one of`);
    rmSync(file);
    clock.advance(5000);
    expect(rejected).toHaveLength(2);
    expect(changed).toEqual([]);
    write('c');
    clock.advance(5000);
    expect(changed).toHaveLength(1);
  });

  it('is found in the working folder, then in the user folder, unless it is named', () => {
    const location = {
      workingFolder: folder,
      home: folder,
      platform: 'linux' as const,
      env: { XDG_CONFIG_HOME: folder },
    };
    expect(findConfig(location)).toBeUndefined();
    expect(findConfig({ ...location, named: 'x.json' })).toEqual({ file: join(folder, 'x.json'), wasNamed: true });
    expect(loadConfig({ file, env: {} }).servers).toHaveLength(1);
  });
});
