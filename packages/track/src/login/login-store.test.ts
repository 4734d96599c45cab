// Every store of logins passes the same cases.
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@tidings/live';
import { eventually } from '@tidings/live/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FileLoginStore } from './file-login-store.ts';
import { loginKey } from '../base/login-key.ts';
import type { LoginChange, LoginStore } from './login-store.ts';
import { MemoryLoginStore } from './memory-login-store.ts';
import type { StoredLogin } from './stored-login.ts';

const key = loginKey('https://example.com/mcp');
const loginOf = (accessToken: string): StoredLogin => ({
  url: key,
  registrations: [],
  tokens: { accessToken, issuer: 'https://id.example.com', obtainedAt: 0 },
});
const tokenIn = (login: StoredLogin | undefined) => login?.tokens?.accessToken;

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'tidings-logins-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

/** Two stores with the same content, as in two processes. */
const stores: Record<string, () => [LoginStore, LoginStore]> = {
  memory: () => {
    const store = new MemoryLoginStore();
    return [store, store];
  },
  file: () => {
    const data = folder();
    return [new FileLoginStore(data, systemClock), new FileLoginStore(data, systemClock)];
  },
};

describe.each(Object.entries(stores))('logins in a %s', (_, open) => {
  it('are the last stored ones, by the URL of the server', async () => {
    const [store, other] = open();
    expect(await store.read(key)).toBeUndefined();
    expect(await store.has(key)).toBe(false);
    await store.edit(key, async () => loginOf('one'));
    expect(await other.read(key)).toEqual(loginOf('one'));
    expect(await other.has(key)).toBe(true);
    expect(await other.read(loginKey('https://example.com/other'))).toBeUndefined();
    await other.edit(key, async () => undefined);
    expect(await store.read(key)).toBeUndefined();
    expect(await store.has(key)).toBe(false);
  });

  it('are edited one at a time, each edit seeing the previous one', async () => {
    const [store, other] = open();
    const count: LoginChange = async (login) => {
      await new Promise((resolve) => setImmediate(resolve));
      return loginOf(String(Number(tokenIn(login) ?? 0) + 1));
    };
    await Promise.all(Array.from({ length: 10 }, () => [store.edit(key, count), other.edit(key, count)]).flat());
    expect(tokenIn(await store.read(key))).toBe('20');
  });

  it('are unchanged if an edit fails, and can be edited after that', async () => {
    const [store] = open();
    await store.edit(key, async () => loginOf('one'));
    await expect(store.edit(key, () => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer');
    expect(tokenIn(await store.read(key))).toBe('one');
    expect(tokenIn(await store.edit(key, async () => loginOf('two')))).toBe('two');
  });

  it('report a change by another store, until that is cancelled', async () => {
    const [store, other] = open();
    let told = 0;
    const stop = store.follow(key, () => void (told += 1));
    await other.edit(key, async () => loginOf('one'));
    await eventually('the change', () => told > 0);
    stop();
    told = 0;
    await store.edit(key, async () => loginOf('two'));
    expect(told).toBe(0);
  });
});

describe('logins in files', () => {
  it('can be read by their owner only', async () => {
    const data = folder();
    await new FileLoginStore(data, systemClock).edit(key, async () => loginOf('secret'));
    const names = readdirSync(join(data, 'logins'));
    expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([]);
    for (const name of ['', ...names]) expect(statSync(join(data, 'logins', name)).mode & 0o077).toBe(0);
  });

  it('are absent if a file is damaged, or belongs to another server', async () => {
    const data = folder();
    const store = new FileLoginStore(data, systemClock);
    await store.edit(key, async () => loginOf('secret'));
    const name = readdirSync(join(data, 'logins')).find((each) => each.endsWith('.json')) ?? '';
    const file = join(data, 'logins', name);
    writeFileSync(file, readFileSync(file, 'utf8').replace(key, 'https://evil.example/mcp'));
    expect(await store.read(key)).toBeUndefined();
    writeFileSync(file, '{"url":');
    expect(await store.read(key)).toBeUndefined();
    expect(await store.has(key)).toBe(true);
  });
});
