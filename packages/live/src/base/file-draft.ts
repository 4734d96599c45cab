// Replaces a file as a whole: the new content goes into a draft beside it, which takes its place at the end. A reader
// has the old content or the new one, also after the process or the machine has stopped meanwhile. A symbolic link stays
// one: the file it points to is replaced.
import { randomUUID } from 'node:crypto';
import { type FileHandle, lstat, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemClock } from '../time/clock.ts';
import { linkTarget } from './link-target.ts';

/** Only the owner may read a draft, and a new file. */
const privateMode = 0o600;
/** A draft into which nothing was written for so long is of a process that was killed. */
const abandonedMs = 24 * 60 * 60_000;
const draftSuffix = /^\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

export class FileDraft {
  readonly path: string;
  /** The file that is replaced: not a link. */
  readonly target: string;
  readonly #mode: number;
  readonly #handle: FileHandle;
  #isSaved = false;

  private constructor(target: string, mode: number, path: string, handle: FileHandle) {
    this.target = target;
    this.#mode = mode;
    this.path = path;
    this.#handle = handle;
  }

  /** `mode`: the permissions of the file at the end. */
  static async open(file: string, mode = privateMode): Promise<FileDraft> {
    const target = await linkTarget(file);
    await removeAbandoned(target);
    // A process may have several drafts of one file.
    const path = `${target}.${randomUUID()}.tmp`;
    return new FileDraft(target, mode, path, await open(path, 'wx', privateMode));
  }

  /** Appends. */
  write(text: string): Promise<void> {
    return this.#handle.writeFile(text);
  }

  /** Resolves when the content is on the disk. Nothing can be written after it. */
  async save(): Promise<void> {
    if (this.#isSaved) return;
    await this.#handle.chmod(this.#mode);
    await this.#handle.sync();
    await this.#handle.close();
    this.#isSaved = true;
  }

  /** Saves the draft, and puts it in the place of the file. */
  async replace(): Promise<void> {
    await this.save();
    await rename(this.path, this.target);
  }

  async discard(): Promise<void> {
    await this.#handle.close().catch(() => undefined);
    await rm(this.path, { force: true });
  }
}

/**
 * Replaces a file by what `fill` writes into the draft; if it rejects, the file stays as it is. Resolves with what
 * `fill` returns.
 */
export async function replaceWhole<T>(file: string, fill: (draft: FileDraft) => Promise<T>, mode?: number): Promise<T> {
  const draft = await FileDraft.open(file, mode);
  try {
    const filled = await fill(draft);
    await draft.replace();
    return filled;
  } catch (error) {
    await draft.discard();
    throw error;
  }
}

/** Others may remove the same drafts, and those of another user may stay. */
async function removeAbandoned(target: string): Promise<void> {
  const [folder, name] = [dirname(target), basename(target)];
  const names = await readdir(folder).catch(() => []);
  const drafts = names.filter((each) => each.startsWith(name) && draftSuffix.test(each.slice(name.length)));
  await Promise.allSettled(drafts.map((each) => removeIfAbandoned(join(folder, each))));
}

async function removeIfAbandoned(draft: string): Promise<void> {
  if (systemClock.date() - (await lstat(draft)).mtimeMs > abandonedMs) await rm(draft);
}
