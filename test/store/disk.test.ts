// Full disks and read-only folders: a clear error, no partial write, and normal work once there is space again.
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LiveError } from '@tidings/live';
import { type Store, openStore } from '@tidings/store';
import { type NoteTables, noteMigrations, put, textOf } from '@tidings/store/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeWith } from '../support/run/needs.ts';
import { freshFolder, noteProcess } from './places.ts';
import { makeReadOnly, mountNeed, smallDisk } from './small-disk.ts';
import { stranger, strangerNeed } from './stranger.ts';

async function open(folder: string): Promise<Store<NoteTables>> {
  const store = await openStore<NoteTables>(folder, { name: 'notes', migrations: noteMigrations });
  onTestFinished(() => store.close());
  return store;
}

async function failure(work: Promise<unknown>): Promise<LiveError> {
  const error: unknown = await work.then(
    () => new Error('It did not fail.'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(LiveError);
  if (!(error instanceof LiveError)) throw error;
  expect(error.code).toBe('DATABASE_ERROR');
  return error;
}

describeWith(mountNeed, 'a store on a disk that is full', () => {
  it('refuses writes that do not fit, keeps earlier ones, and continues when there is space', async () => {
    const disk = smallDisk(4);
    const ballast = join(disk, 'ballast');
    writeFileSync(ballast, Buffer.alloc(2 * 1024 * 1024));
    const store = await open(disk);
    const seen: string[] = [];
    store.feed.follow({ change: ({ topics }) => void seen.push(...topics), gap: () => undefined });

    const kept: string[] = [];
    const fill = async () => {
      for (let n = 0; n < 1000; n += 1) {
        await put(store, `note ${n}`, 'x'.repeat(20_000));
        kept.push(`note ${n}`);
      }
    };
    expect((await failure(fill())).message).toMatch(/disk is full|disk failed or is full/);
    const stored = async () => (await store.db.selectFrom('note').select('id').execute()).map(({ id }) => id);
    expect((await stored()).toSorted()).toEqual(kept.toSorted());
    expect(seen).toEqual(kept);

    rmSync(ballast);
    await put(store, 'later', 'there is space again');
    expect(seen).toEqual([...kept, 'later']);
    await store.close();
    expect(await textOf(await open(disk), 'later')).toBe('there is space again');
  });

  it('cannot be opened, gives the reason, and can be opened later', async () => {
    const disk = smallDisk(1);
    const ballast = join(disk, 'ballast');
    fillUp(ballast);
    expect((await failure(open(disk))).message).toMatch(/disk/);
    rmSync(ballast);
    const store = await open(disk);
    await put(store, 'a', 'one');
  });
});

describeWith(strangerNeed, 'a store that belongs to another user', () => {
  it('is refused when its folder cannot be written to', async () => {
    const folder = await freshFolder();
    await (await open(folder)).close();
    chmodSync(folder, 0o555);
    const child = noteProcess(folder, { user: stranger });
    expect(await child.refusal()).toMatchObject({
      code: 'DATABASE_ERROR',
      message: expect.stringMatching(/cannot be used as a data folder.*writable/),
    });
    chmodSync(folder, 0o755);
  });

  it('is refused when only its file cannot be written to', async () => {
    const folder = await freshFolder();
    await (await open(folder)).close();
    chmodSync(folder, 0o777);
    chmodSync(join(folder, 'notes.db'), 0o444);
    const child = noteProcess(folder, { user: stranger });
    expect(await child.refusal()).toMatchObject({ code: 'DATABASE_ERROR' });
  });
});

describe('a store in an unusable place', () => {
  it('is refused where a folder cannot be created', async () => {
    const file = join(await freshFolder(), 'a file');
    writeFileSync(file, '');
    for (const place of [file, join(file, 'folder')]) {
      const reason = 'it is a file, or below one. Choose another.';
      expect((await failure(open(place))).message).toBe(`${place} cannot be used as a data folder: ${reason}`);
    }
    await expect(open('')).rejects.toThrow(/place of a store must be a/);
    // This folder exists and takes no entries.
    expect((await failure(open('/proc/no/such'))).message).toMatch(/cannot be used as a data folder/);
  });

  it('is refused if the file is not a database', async () => {
    const folder = await freshFolder();
    writeFileSync(join(folder, 'notes.db'), 'notes to myself, not a database: '.repeat(100));
    expect((await failure(open(folder))).message).toMatch(/not a database. Move it away/);
  });
});

describeWith(mountNeed, 'a store on a disk that is read-only', () => {
  it('is refused, even with a database on it', async () => {
    const disk = smallDisk(4);
    const before = noteProcess(disk, { writes: 1 });
    await before.reports('done');
    await before.stop();
    makeReadOnly(disk);
    expect((await failure(open(disk))).message).toMatch(/cannot be used as a data folder.*writable/);
  });
});

/** Fills the disk to the last byte. */
function fillUp(file: string): void {
  for (const size of [256, 64, 16, 4].map((kilobytes) => kilobytes * 1024)) {
    for (;;) {
      try {
        writeFileSync(file, Buffer.alloc(size), { flag: 'a' });
      } catch {
        break;
      }
    }
  }
}
