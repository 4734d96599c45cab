// How a process learns that another one committed to the same folder. After a commit, writers touch a
// file named `wake`; readers watch the folder. The events of SQLite's own log come before the commit
// can be seen, so they only start a short ladder of looks. A slow look remains in case all else fails.
import { type FSWatcher, closeSync, openSync, utimesSync, watch } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Clock, Timer } from '@tidings/live';

/** A commit becomes visible within milliseconds of the log's first write. */
const ladderMs = [1, 2, 4, 8, 16, 32, 64];
const backstopMs = 1000;
/** Where folders cannot be watched: out of watches, some network file systems. */
const blindBackstopMs = 50;

export class Wake {
  readonly #file: string;
  readonly #clock: Clock;
  readonly #look: () => void;
  #watcher: FSWatcher | undefined;
  #ladder: Timer | undefined;
  #backstop: Timer | undefined;

  /** `look` is called whenever there may be something new; it must be cheap. */
  constructor(databaseFile: string, clock: Clock, look: () => void) {
    this.#file = `${databaseFile}-wake`;
    this.#clock = clock;
    this.#look = look;
    closeSync(openSync(this.#file, 'a'));
    this.#watch(databaseFile);
    this.#lookAgain();
  }

  /** Tells the others that something was committed. */
  touch(): void {
    const now = new Date();
    utimesSync(this.#file, now, now);
  }

  close(): void {
    this.#watcher?.close();
    this.#ladder?.cancel();
    this.#backstop?.cancel();
  }

  #watch(databaseFile: string): void {
    const wake = basename(this.#file);
    const log = `${basename(databaseFile)}-wal`;
    try {
      // The folder, not the file: the log is deleted when its last user leaves, and a watch with it.
      this.#watcher = watch(dirname(databaseFile), (_event, name) => {
        if (name === wake) this.#look();
        else if (name === log) this.#climb(0);
      });
      this.#watcher.on('error', () => this.#goBlind());
      this.#watcher.unref();
    } catch {
      this.#goBlind();
    }
  }

  #goBlind(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #climb(rung: number): void {
    this.#ladder?.cancel();
    const ms = ladderMs[rung];
    if (ms === undefined) return;
    this.#ladder = this.#clock.after(ms, () => {
      this.#look();
      this.#climb(rung + 1);
    });
  }

  #lookAgain(): void {
    this.#backstop = this.#clock.after(this.#watcher ? backstopMs : blindBackstopMs, () => {
      this.#look();
      this.#lookAgain();
    });
  }
}

export function databaseFile(folder: string, name: string): string {
  return join(folder, `${name}.db`);
}
