import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { serveMemory } from '@tidings/live';
import { type Era, type TestClient, connectMemory, eventually, told } from '@tidings/live/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFiles } from './files.ts';

const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x00, 0xff);
const readme = 'files:///readme.md';
const deep = 'files:///docs/deep/a%20b.txt';

let base: string;
let root: string;
let files: ReturnType<typeof createFiles>;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'tidings-files-'));
  root = join(base, 'root');
  await mkdir(join(root, 'docs/deep'), { recursive: true });
  await writeFile(join(root, 'readme.md'), '# One');
  await writeFile(join(root, 'docs/deep/a b.txt'), 'one');
  await writeFile(join(root, 'docs/logo.png'), png);
  await writeFile(join(base, 'secret.txt'), 'secret');
  files = createFiles(root);
});

afterEach(async () => {
  await files.close();
  await rm(base, { recursive: true });
});

async function connectClient(era: Era): Promise<Client> {
  const mode = era === 'modern' ? 'auto' : 'legacy';
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(serveMemory(files));
  return client;
}

/** Saves like an editor: writes a new file and renames it to the old name. */
async function replace(path: string, text: string): Promise<void> {
  await writeFile(`${path}~`, text);
  await rename(`${path}~`, path);
}

/** Makes a change, waits for its notification, and reads the new text. */
async function sees(client: TestClient, uri: string, text: string, change: () => Promise<void>): Promise<void> {
  const before = client.updates.filter((each) => each === uri).length;
  await change();
  await told(client, uri, before);
  // A save causes several file events; after the first one the text may still be incomplete.
  await eventually(`${uri} reads "${text}"`, async () => (await client.read(uri)) === text);
}

describe.each(['modern', 'legacy'] as const)('the folder, for a %s client', (era) => {
  test('notifies of every write, whether in place or by renaming', async () => {
    const client = await connectMemory(files, era);
    await client.subscribe(readme, deep);
    const place = join(root, 'readme.md');
    const deepPlace = join(root, 'docs/deep/a b.txt');

    await sees(client, readme, '# Two', () => writeFile(place, '# Two'));
    expect(client.updates).not.toContain(deep);
    await sees(client, deep, 'two', () => writeFile(deepPlace, 'two'));
    await sees(client, readme, '# Three', () => replace(place, '# Three'));
    await sees(client, readme, '# Four', () => writeFile(place, '# Four'));
    await sees(client, deep, 'three', () => replace(deepPlace, 'three'));
    await sees(client, deep, 'four', () => writeFile(deepPlace, 'four'));
    await client.close();
  });

  test('lists existing files, and notifies when the list changes', async () => {
    const client = await connectMemory(files, era);
    await client.subscribe('files:///later/new.txt');
    expect(await client.listAll()).toEqual([deep, 'files:///docs/logo.png', readme]);

    await mkdir(join(root, 'later'));
    await sees(client, 'files:///later/new.txt', 'new', () => writeFile(join(root, 'later/new.txt'), 'new'));
    await eventually('the list has changed', () => client.listChanges.length > 0);
    expect(await client.listAll()).toContain('files:///later/new.txt');

    await rm(join(root, 'later/new.txt'));
    await eventually('the file is gone', async () => !(await client.listAll()).includes('files:///later/new.txt'));
    await client.close();
  });

  test('notifies of a file when its folder moves', async () => {
    const client = await connectMemory(files, era);
    const moved = 'files:///moved/deep/a%20b.txt';
    await client.subscribe(deep, moved);

    await sees(client, moved, 'one', () => rename(join(root, 'docs'), join(root, 'moved')));
    await told(client, deep);
    await expect(client.read(deep)).rejects.toThrow('no such file');
    await sees(client, moved, 'two', () => writeFile(join(root, 'moved/deep/a b.txt'), 'two'));
    await client.close();
  });

  test('serves text and bytes with their types, and completes paths', async () => {
    const client = await connectClient(era);
    const { contents } = await client.readResource({ uri: 'files:///docs/logo.png' });
    const blob = Buffer.from(png).toString('base64');
    expect(contents).toEqual([{ uri: 'files:///docs/logo.png', mimeType: 'image/png', blob }]);
    expect((await client.readResource({ uri: readme })).contents).toEqual([
      { uri: readme, mimeType: 'text/markdown', text: '# One' },
    ]);
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'files:///{+path}' },
      argument: { name: 'path', value: 'docs/d' },
    });
    expect(completion.values).toEqual(['docs/deep/a b.txt']);
    await client.close();
  });

  test('serves no file outside the folder', async () => {
    await symlink(join(base, 'secret.txt'), join(root, 'link.txt'));
    await symlink(base, join(root, 'out'));
    const client = await connectMemory(files, era);
    const outside = ['../secret.txt', '%2e%2e/secret.txt', '..%2fsecret.txt', 'docs/../../secret.txt', 'link.txt'];
    const others = ['out/secret.txt', join(base, 'secret.txt'), 'docs', '', '.', 'readme.md/', 'readme.md%00', 'nope'];
    for (const path of [...outside, ...others]) {
      await expect(client.read(`files:///${path}`), path).rejects.toThrow('no such file');
    }
    expect(await client.listAll()).toEqual([deep, 'files:///docs/logo.png', readme]);
    await client.close();
  });
});
