import { EventEmitter } from 'node:events';
import { type FSWatcher, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock, eventually } from '@tidings/live/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type NoteTables, noteMigrations, put } from '../testing/notes.ts';
import { CommitSignal, type WatchFolder } from './commit-signal.ts';
import { DataFile } from './data-file.ts';
import { openSqliteStore } from './sqlite-store.ts';

/** A watcher whose events the test emits. */
class FakeWatcher extends EventEmitter implements FSWatcher {
  report: (event: string, name: string | null) => void = () => undefined;
  readonly watch: WatchFolder = (_folder, listener) => {
    this.report = listener;
    return this;
  };

  close(): void {}

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

const cannotWatch: WatchFolder = () => {
  throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
};

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function signal(watchFolder: WatchFolder) {
  const clock = new FakeClock();
  let looks = 0;
  const made = new CommitSignal(new DataFile(freshFolder(), 'notes'), clock, () => void (looks += 1), watchFolder);
  onTestFinished(() => made.close());
  const looksWithin = (ms: number) => {
    const before = looks;
    clock.advance(ms);
    return looks - before;
  };
  return { clock, looksWithin };
}

describe('the signal between processes', () => {
  it('polls every 50 ms if a folder cannot be watched', () => {
    expect(signal(cannotWatch).looksWithin(1000)).toBe(20);
  });

  it('polls every 50 ms until the watcher has reported an event, then once a second', () => {
    const watcher = new FakeWatcher();
    const { looksWithin } = signal(watcher.watch);
    expect(looksWithin(1000)).toBe(20);
    watcher.report('change', 'something else');
    looksWithin(50);
    expect(looksWithin(10_000)).toBe(10);
  });

  it('polls every 50 ms again when the watcher fails', () => {
    const watcher = new FakeWatcher();
    const { looksWithin } = signal(watcher.watch);
    watcher.report('change', 'notes.db-wake');
    watcher.emit('error', new Error('the watch broke'));
    looksWithin(1000);
    expect(looksWithin(1000)).toBe(20);
  });

  it('polls a few times after the log was written, with any number of writes', () => {
    const watcher = new FakeWatcher();
    const { looksWithin } = signal(watcher.watch);
    watcher.report('change', 'notes.db-wake');
    looksWithin(50);
    watcher.report('change', 'notes.db-wal');
    expect(looksWithin(130)).toBe(7);
    let looks = 0;
    for (let n = 0; n < 100; n += 1) {
      watcher.report('change', 'notes.db-wal');
      looks += looksWithin(0.5);
    }
    expect(looks).toBeGreaterThan(20);
  });

  it('is not needed to see commits of another store', async () => {
    const folder = freshFolder();
    const log = { warn: () => undefined, error: () => undefined };
    const options = { folder, name: 'notes', migrations: noteMigrations, log };
    const [blind, other] = [
      await openSqliteStore<NoteTables>({ ...options, watchFolder: cannotWatch }),
      await openSqliteStore<NoteTables>(options),
    ];
    const seen: string[] = [];
    blind.feed.follow({ change: ({ topics }) => void seen.push(...topics), gap: () => undefined });
    for (const id of ['a', 'b', 'c']) {
      await put(other, id, 'x');
      await eventually('the change', () => seen.includes(id));
    }
    expect(seen).toEqual(['a', 'b', 'c']);
    await Promise.all([blind.close(), other.close()]);
  });
});
