import { randomUUID } from 'node:crypto';
import {
  mkdir,
  mkdtemp,
  open,
  readFile,
  readdir,
  readlink,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../time/clock.ts';
import { FileDraft, replaceWhole } from './file-draft.ts';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-draft-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);

it('a reader of the old file has its whole content', async () => {
  const folder = await newFolder();
  const file = join(folder, 'a.json');
  await writeFile(file, 'old');
  const reader = await open(file);
  await replaceWhole(file, (draft) => draft.write('new'));
  expect(await reader.readFile('utf8')).toBe('old');
  await reader.close();
  expect(await readFile(file, 'utf8')).toBe('new');
  expect(await readdir(folder)).toEqual(['a.json']);
});

it('the draft is private, and the file has the given permissions', async () => {
  const file = join(await newFolder(), 'a.json');
  await replaceWhole(
    file,
    async (draft) => {
      expect(await modeOf(draft.path)).toBe('600');
      await draft.write('1');
    },
    0o640,
  );
  expect(await modeOf(file)).toBe('640');
});

it('a failed one leaves the file as it is, and no draft', async () => {
  const folder = await newFolder();
  const file = join(folder, 'a.json');
  await writeFile(file, 'old');
  const failing = replaceWhole(file, async (draft) => {
    await draft.write('new');
    throw new Error('stopped');
  });
  await expect(failing).rejects.toThrow('stopped');
  expect(await readFile(file, 'utf8')).toBe('old');
  expect(await readdir(folder)).toEqual(['a.json']);
});

it('several drafts of one file do not disturb each other', async () => {
  const file = join(await newFolder(), 'a.json');
  const [first, second] = [await FileDraft.open(file), await FileDraft.open(file)];
  await first.write('fir');
  await second.write('second');
  await first.write('st');
  await first.replace();
  expect(await readFile(file, 'utf8')).toBe('first');
  await second.replace();
  expect(await readFile(file, 'utf8')).toBe('second');
});

it('a symbolic link stays one, and the file it points to is replaced', async () => {
  const folder = await newFolder();
  const [real, first, second] = [join(folder, 'real.json'), join(folder, 'first.json'), join(folder, 'second.json')];
  await writeFile(real, 'old');
  await symlink('real.json', first);
  await symlink(first, second);
  await replaceWhole(second, (draft) => draft.write('new'));
  expect(await readFile(real, 'utf8')).toBe('new');
  expect([await readlink(first), await readlink(second)]).toEqual(['real.json', first]);
});

it('a symbolic link to a file that does not exist yet stays one', async () => {
  const folder = await newFolder();
  await mkdir(join(folder, 'a'));
  await mkdir(join(folder, 'b/c'), { recursive: true });
  await symlink(join(folder, 'b/c'), join(folder, 'a/linked'));
  // Seen from the folder in which the link is, not from the path that leads there.
  await symlink('../real.json', join(folder, 'b/c/link.json'));
  await replaceWhole(join(folder, 'a/linked/link.json'), (draft) => draft.write('new'));
  expect(await readFile(join(folder, 'b/real.json'), 'utf8')).toBe('new');
  expect(await readlink(join(folder, 'b/c/link.json'))).toBe('../real.json');
});

it('a symbolic link leads where the system finds its target, not where its text seems to', async () => {
  const folder = await newFolder();
  await mkdir(join(folder, 'elsewhere/deep'), { recursive: true });
  await symlink('elsewhere/deep', join(folder, 'linked'));
  await symlink('linked/../real.json', join(folder, 'link.json'));
  await replaceWhole(join(folder, 'link.json'), (draft) => draft.write('new'));
  expect(await readFile(join(folder, 'elsewhere/real.json'), 'utf8')).toBe('new');
  await symlink('missing/../itself.json', join(folder, 'itself.json'));
  await expect(FileDraft.open(join(folder, 'itself.json'))).rejects.toMatchObject({ code: 'ENOENT' });
});

it('drafts that a killed process has left are removed after a day, and nothing else is', async () => {
  const folder = await newFolder();
  const file = join(folder, 'a.json');
  const hour = 60 * 60_000;
  const aged = async (name: string, hours: number) => {
    const time = new Date(systemClock.date() - hours * hour);
    await writeFile(join(folder, name), '');
    await utimes(join(folder, name), time, time);
    return name;
  };
  await aged(`a.json.${randomUUID()}.tmp`, 25);
  const others = [
    await aged(`a.json.${randomUUID()}.tmp`, 23),
    await aged(`b.json.${randomUUID()}.tmp`, 25),
    await aged(`a.json.${randomUUID()}.bak`, 25),
    await aged('a.json.tmp', 25),
  ];
  await replaceWhole(file, (draft) => draft.write('new'));
  expect(new Set(await readdir(folder))).toEqual(new Set(['a.json', ...others]));
});

it('a draft that cannot be removed does not keep the others', async () => {
  const folder = await newFolder();
  const names = Array.from({ length: 8 }, () => `a.json.${randomUUID()}.tmp`);
  // A folder stands for the draft of another user: neither can be removed.
  for (const [index, name] of names.entries()) {
    await (index % 2 === 0 ? mkdir(join(folder, name)) : writeFile(join(folder, name), ''));
    await utimes(join(folder, name), 0, 0);
  }
  await replaceWhole(join(folder, 'a.json'), (draft) => draft.write('new'));
  const kept = names.filter((_, index) => index % 2 === 0);
  expect(new Set(await readdir(folder))).toEqual(new Set(['a.json', ...kept]));
});
