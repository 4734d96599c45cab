// Stores logins in files that only their owner may read, one for each server, in a folder of their own. Processes with
// the same data folder share them.
import { parsedJson, systemCode } from '@tidings/live/portable';
import { statSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Timer } from '@tidings/live';
import { every } from '@tidings/live/time';
import { digestOf } from '@tidings/live/internal';
import type { FolderLock } from '@tidings/store';
import { awaitedLock } from '../base/awaited-lock.ts';
import { fileStamp } from '../base/file-stamp.ts';
import { writePrivateFile } from '../base/write-private-file.ts';
import type { LoginChange, LoginStore } from './login-store.ts';
import { type StoredLogin, storedLogin } from './stored-login.ts';

/** The interval at which files are checked for changes. */
const lookEveryMs = 500;
/** Requests during an edit take less time than this: a process that holds a lock for longer is stuck. */
const longestEditMs = 60_000;

interface Followed {
  stamp: string;
  readonly listeners: Set<() => void>;
}

export class FileLoginStore implements LoginStore {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #followed = new Map<string, Followed>();
  #timer: Timer | undefined;

  /** `data`: the data folder. */
  constructor(data: string, clock: Clock) {
    this.#folder = join(data, 'logins');
    this.#clock = clock;
  }

  async read(key: string): Promise<StoredLogin | undefined> {
    const text = await readFile(this.#file(key), 'utf8').catch((error: unknown) => {
      if (systemCode(error) === 'ENOENT') return undefined;
      throw error;
    });
    // A damaged file counts as no login: the user logs in again.
    const login = text === undefined ? undefined : storedLogin.safeParse(parsedJson(text)).data;
    return login?.url === key ? login : undefined;
  }

  async has(key: string): Promise<boolean> {
    return statSync(this.#file(key), { throwIfNoEntry: false }) !== undefined;
  }

  async edit(key: string, change: LoginChange): Promise<StoredLogin | undefined> {
    const lock = await this.#lock(key);
    try {
      const before = await this.read(key);
      const after = await change(before);
      if (after === undefined) await rm(this.#file(key), { force: true });
      else if (after !== before) await writePrivateFile(this.#file(key), `${JSON.stringify(after, undefined, 2)}\n`);
      this.#look();
      return after;
    } finally {
      lock.release();
    }
  }

  follow(key: string, listener: () => void): () => void {
    const followed = this.#followed.get(key) ?? { stamp: fileStamp(this.#file(key)), listeners: new Set() };
    this.#followed.set(key, followed);
    followed.listeners.add(listener);
    this.#timer ??= every(this.#clock, lookEveryMs, () => this.#look());
    return () => {
      followed.listeners.delete(listener);
      if (followed.listeners.size === 0) this.#followed.delete(key);
      if (this.#followed.size > 0) return;
      this.#timer?.cancel();
      this.#timer = undefined;
    };
  }

  #look(): void {
    for (const [key, followed] of this.#followed) {
      const stamp = fileStamp(this.#file(key));
      if (stamp === followed.stamp) continue;
      followed.stamp = stamp;
      for (const listener of followed.listeners) listener();
    }
  }

  async #lock(key: string): Promise<FolderLock> {
    const patience = { clock: this.#clock, patienceMs: longestEditMs };
    const lock = await awaitedLock(this.#folder, nameOf(key), patience);
    if (lock) return lock;
    throw new Error(`Another process is changing the login of ${key}: try again later.`);
  }

  #file(key: string): string {
    return join(this.#folder, `${nameOf(key)}.json`);
  }
}

/** The file name. Starts with the host, so that people recognise it. */
function nameOf(key: string): string {
  const host = new URL(key).hostname.replaceAll(/[^a-z0-9.-]/g, '_').slice(0, 60);
  return `${host}-${digestOf(key, 'hex').slice(0, 16)}`;
}
