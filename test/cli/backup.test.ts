// `tidings backup` and `tidings restore`: a data folder as one archive, made while it is in use.
import { execFile } from 'node:child_process';
import { link, mkdir, readdir, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openVcon } from '@tidings/vcon';
import { connectMemory } from '@tidings/live/testing';
import { describe, expect, test } from 'vitest';
import { freshFolder } from '../vcon/import-fixture.ts';
import { tidingsCommand } from './hosted-tidings.ts';

async function vconsIn(place: string) {
  const server = await openVcon({ place });
  const client = await connectMemory(server, 'modern');
  return {
    create: (subject: string) => client.call('create_vcon', { subject }),
    subjects: async () =>
      JSON.parse(await client.call('search_vcons', { limit: 1000 }))
        .results.map(Object)
        .map(subjectOf),
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await server.close();
    },
  };
}

function subjectOf({ subject }: { subject?: unknown }): unknown {
  return subject;
}

describe('tidings backup and restore', () => {
  test('copy a data folder during writes, and restore it', async () => {
    const folder = await freshFolder();
    const [data, again, file] = [join(folder, 'data'), join(folder, 'again'), join(folder, 'copies', 'a.tar.gz')];
    await using vcons = await vconsIn(data);
    await vcons.create('before the backup');
    const done = new AbortController();
    const writing = (async () => {
      for (let n = 0; !done.signal.aborted; n += 1) await vcons.create(`meanwhile ${n}`);
    })();
    const { code, stdout, stderr } = await tidingsCommand(['backup', file, '--data', data]);
    done.abort();
    await writing;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('vcon.db');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(folder, 'copies'))).toEqual(['a.tar.gz']);

    expect(await tidingsCommand(['restore', file, '--data', again])).toMatchObject({ code: 0, stderr: '' });
    await using restored = await vconsIn(again);
    const subjects = await restored.subjects();
    expect(subjects).toContain('before the backup');
    expect(await vcons.subjects()).toEqual(expect.arrayContaining(subjects));
  });

  test('replace a folder with data only with --force, and keep the old one', async () => {
    const folder = await freshFolder();
    const [source, data] = [join(folder, 'source'), join(folder, 'data')];
    const [early, late] = [join(folder, 'early.tar.gz'), join(folder, 'late.tar.gz')];
    await using vcons = await vconsIn(source);
    await vcons.create('first');
    await tidingsCommand(['backup', early, '--data', source]);
    await vcons.create('second');
    await tidingsCommand(['backup', late, '--data', source]);
    await tidingsCommand(['restore', late, '--data', data]);
    const refused = await tidingsCommand(['restore', early, '--data', data]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--force') });
    const { stdout } = await tidingsCommand(['restore', early, '--data', data, '--force', '--json']);
    const { kept } = JSON.parse(stdout);
    await using after = await vconsIn(data);
    expect(await after.subjects()).toEqual(['first']);
    await using before = await vconsIn(kept);
    expect(await before.subjects()).toEqual(expect.arrayContaining(['first', 'second']));
  });

  test('do not replace a folder in use, even with --force', async () => {
    const folder = await freshFolder();
    const [data, file] = [join(folder, 'data'), join(folder, 'a.tar.gz')];
    await using vcons = await vconsIn(data);
    await vcons.create('first');
    await tidingsCommand(['backup', file, '--data', data]);
    await vcons.create('second');
    expect(await tidingsCommand(['restore', file, '--data', data, '--force'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is in use \(vcon\.db\)\. Stop the hub/),
    });
    expect(await vcons.subjects()).toEqual(expect.arrayContaining(['first', 'second']));
    expect((await readdir(folder)).toSorted()).toEqual(['a.tar.gz', 'data']);
  });

  test('replace a damaged database', async () => {
    const folder = await freshFolder();
    const [data, file] = [join(folder, 'data'), join(folder, 'a.tar.gz')];
    {
      await using vcons = await vconsIn(data);
      await vcons.create('first');
    }
    await tidingsCommand(['backup', file, '--data', data]);
    await writeFile(join(data, 'vcon.db'), 'damaged');
    expect(await tidingsCommand(['restore', file, '--data', data, '--force'])).toMatchObject({ code: 0 });
    await using vcons = await vconsIn(data);
    expect(await vcons.subjects()).toEqual(['first']);
  });

  test('refuse a file that is not a backup and an unusable place, and leave no files behind', async () => {
    const folder = await freshFolder();
    const [data, file] = [join(folder, 'data'), join(folder, 'no.tar.gz')];
    await writeFile(file, 'no archive');
    await mkdir(join(folder, 'empty'));
    const wrong: [string[], number, RegExp][] = [
      [['restore', file, '--data', data], 1, /cannot be read as a backup/],
      [['restore', join(folder, 'missing'), '--data', data], 1, /There is no file .+missing\.$/m],
      [['restore', join(folder, 'empty'), '--data', data], 2, /empty is a folder\./],
      [['backup', join(folder, 'empty'), '--data', folder], 2, /empty is a folder\./],
      [['export', '--data', join(folder, 'nowhere')], 1, /There is no folder .+nowhere\. Name another with --data/],
      [['audit', '--data', join(folder, 'nowhere')], 1, /There is no folder .+nowhere\. Name another with --data/],
      [['backup', join(folder, 'b'), '--data', join(folder, 'nowhere')], 1, /There is no folder/],
      [['backup', join(folder, 'b'), '--data', join(folder, 'empty')], 1, /There is no data in/],
      [['backup', join(folder, 'b'), '--data', 'postgres://localhost/x'], 2, /pg_dump/],
    ];
    for (const [args, code, says] of wrong) {
      expect(await tidingsCommand(args), args.join(' ')).toMatchObject({ code, stderr: expect.stringMatching(says) });
    }
    expect((await readdir(folder)).toSorted()).toEqual(['empty', 'no.tar.gz']);
  });

  test.each([
    ['an empty folder', []],
    ['a folder with data', ['--force']],
  ])('restore into %s through a link, which stays one', async (_, flags) => {
    const folder = await freshFolder();
    const [source, real, data] = [join(folder, 'source'), join(folder, 'disk/data'), join(folder, 'data')];
    const file = join(folder, 'a.tar.gz');
    await using vcons = await vconsIn(source);
    await vcons.create('kept');
    await tidingsCommand(['backup', file, '--data', source]);
    await mkdir(real, { recursive: true });
    await symlink(real, data);
    if (flags.length > 0) await tidingsCommand(['restore', file, '--data', real]);
    expect(await tidingsCommand(['restore', file, '--data', data, ...flags])).toMatchObject({ code: 0, stderr: '' });
    expect(await readlink(data)).toBe(real);
    await using restored = await vconsIn(real);
    expect(await restored.subjects()).toEqual(['kept']);
  });

  test('back up through a link: the archive, and all work for it, is where the link points to', async () => {
    const folder = await freshFolder();
    const [data, archive, file] = [join(folder, 'data'), join(folder, 'disk/a.tar.gz'), join(folder, 'a.tar.gz')];
    await using vcons = await vconsIn(data);
    await vcons.create('kept');
    await symlink(archive, file);
    expect(await tidingsCommand(['backup', file, '--data', data])).toMatchObject({ code: 0, stderr: '' });
    expect(await readlink(file)).toBe(archive);
    expect(await readdir(join(folder, 'disk'))).toEqual(['a.tar.gz']);
  });

  test('extract only files from an archive, since a link could lead out of the folder', async () => {
    const folder = await freshFolder();
    const [from, outside, data] = [join(folder, 'from'), join(folder, 'outside'), join(folder, 'data')];
    await mkdir(from);
    await mkdir(outside);
    await writeFile(join(outside, 'notes.db'), 'not of the archive');
    await writeFile(join(from, 'vcon.db'), '');
    await symlink(outside, join(from, 'audit'));
    await symlink(join(outside, 'notes.db'), join(from, 'schedules.db'));
    await link(join(from, 'vcon.db'), join(from, 'tracker.db'));
    const file = join(folder, 'a.tar.gz');
    const names = ['vcon.db', 'tracker.db', 'schedules.db', 'audit'];
    await promisify(execFile)('tar', ['-czf', file, '-C', from, ...names]);
    expect(await tidingsCommand(['restore', file, '--data', data])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/cannot be read as a backup: tracker\.db is a link/),
    });
    expect(await readdir(folder)).not.toContain('data');
  });
});
