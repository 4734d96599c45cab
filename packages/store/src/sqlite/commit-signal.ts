// Notifies a process that another one committed to the same folder. After a commit, writers touch a file; readers watch
// the folder. The events of SQLite's own log come before the commit is visible, so they only start a short series of
// reads. A slow poll remains as a fallback.
import { type FSWatcher, utimesSync, watch } from 'node:fs';
import type { Clock, Timer } from '@tidings/live';
import { every } from '@tidings/live/time';
import { type DataFile, create } from './data-file.ts';

/** A commit becomes visible within milliseconds of the log's first write. */
const ladderMs = [1, 2, 4, 8, 16, 32, 64];
const backstopMs = 1000;
/** Where folders cannot be watched: out of watches, some network file systems. */
const blindBackstopMs = 50;

export type WatchFolder = (folder: string, listener: (event: string, name: string | null) => void) => FSWatcher;

export class CommitSignal {
  readonly #file: DataFile;
  readonly #clock: Clock;
  readonly #look: () => void;
  #watcher: FSWatcher | undefined;
  /** Some file systems accept a watch and never report anything: only an event shows that it works. */
  #isWatching = false;
  #ladder: Timer | undefined;
  #rung = 0;
  readonly #backstop: Timer;

  /** `look` is called whenever there may be something new; it is cheap and does not throw. */
  constructor(file: DataFile, clock: Clock, look: () => void, watchFolder: WatchFolder = watch) {
    this.#file = file;
    this.#clock = clock;
    this.#look = look;
    this.#watch(watchFolder);
    const pollMs = () => (this.#isWatching ? backstopMs : blindBackstopMs);
    this.#backstop = every(clock, pollMs, look);
    // Causes an event, which shows whether the watch works.
    this.send();
  }

  /** Signals a commit to other processes. Never fails: they would see it a little later by polling. */
  send(): void {
    const now = new Date(this.#clock.date());
    try {
      utimesSync(this.#file.wakePath, now, now);
    } catch {
      this.#makeAgain();
    }
  }

  close(): void {
    this.#watcher?.close();
    this.#ladder?.cancel();
    this.#backstop.cancel();
  }

  #makeAgain(): void {
    try {
      create(this.#file.wakePath);
    } catch {
      // The folder is missing or full, which the next write reports.
    }
  }

  #watch(watchFolder: WatchFolder): void {
    const { folder, wakeName, logName } = this.#file;
    try {
      // The folder, not the file: the log is deleted when its last user leaves, and a watch with it.
      this.#watcher = watchFolder(folder, (_event, name) => {
        this.#isWatching = true;
        if (name === wakeName) this.#look();
        else if (name === logName || name === null) this.#climb();
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
    this.#isWatching = false;
  }

  /** Starts the series again, unless it is at its first step: a steady stream of events would keep it from ever reading. */
  #climb(): void {
    if (this.#ladder && this.#rung === 0) return;
    this.#ladder?.cancel();
    this.#step(0);
  }

  #step(rung: number): void {
    const ms = ladderMs[rung];
    this.#rung = rung;
    this.#ladder = undefined;
    if (ms === undefined) return;
    this.#ladder = this.#clock.after(ms, () => {
      this.#look();
      this.#step(rung + 1);
    });
  }
}
