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

/** A save as editors do it: written beside, then renamed onto. */
async function replace(path: string, text: string): Promise<void> {
  await writeFile(`${path}~`, text);
  await rename(`${path}~`, path);
}

/** Causes a change and waits until the client can read it after being told. */
async function sees(client: TestClient, uri: string, text: string, change: () => Promise<void>): Promise<void> {
  const before = client.updates.filter((each) => each === uri).length;
  await change();
  await told(client, uri, before);
  // One save is several events of the file system; the first may have come before the text was complete.
  await eventually(`${uri} reads "${text}"`, async () => (await client.read(uri)) === text);
}

describe.each(['modern', 'legacy'] as const)('the folder, for a %s client', (era) => {
  test('tells of every write, whichever way it is made', async () => {
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

  test('lists what is there, and tells when that changes', async () => {
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

  test('tells of a file when its folder moves', async () => {
    const client = await connectMemory(files, era);
    const moved = 'files:///moved/deep/a%20b.txt';
    await client.subscribe(deep, moved);

    await sees(client, moved, 'one', () => rename(join(root, 'docs'), join(root, 'moved')));
    await told(client, deep);
    await expect(client.read(deep)).rejects.toThrow('no such file');
    await sees(client, moved, 'two', () => writeFile(join(root, 'moved/deep/a b.txt'), 'two'));
    await client.close();
  });

  test('serves text and bytes under their types, and completes paths', async () => {
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

  test('never leaves the folder', async () => {
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
