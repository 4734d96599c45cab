import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SessionRefused } from './obs-session.ts';
import { givenPassword, passwordInFile } from './password.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'password-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('the password of OBS', () => {
  it('in the settings does not change', async () => {
    const source = givenPassword('secret');
    expect([await source.read(), source.canChange]).toEqual(['secret', false]);
    expect(await givenPassword(undefined).read()).toBeUndefined();
  });

  it('in a file is read each time, without the line break at its end', async () => {
    const path = join(folder, 'password');
    const source = passwordInFile(path);
    await writeFile(path, 'first\r\n');
    expect(await source.read()).toBe('first');
    await writeFile(path, ' second \n');
    expect([await source.read(), source.canChange]).toEqual([' second ', true]);
  });

  it('in an unreadable file is refused, with the name of the file', async () => {
    const path = join(folder, 'absent');
    const reading = passwordInFile(path).read();
    await expect(reading).rejects.toThrow(SessionRefused);
    await expect(reading).rejects.toThrow(`${path} cannot be read (ENOENT)`);
  });
});
