// Notifies a process that another one committed to the same folder. After a commit, writers touch a file; readers watch
// the folder. The events of SQLite's own log come before the commit is visible, so they only start a short series of
// checks. A slow poll remains as a fallback.
import { type FSWatcher, utimesSync, watch } from 'node:fs';
import type { Clock, Timer } from '@tidings/live';
import { every } from '@tidings/live/time';
import { type DataFile, create } from './data-file.ts';

/** The pauses of the series: a commit becomes visible within milliseconds of the log's first write. */
const seriesMs = [1, 2, 4, 8, 16, 32, 64];
const pollMs = 1000;
/** The interval where folders cannot be watched: out of watches, some network file systems. */
const unwatchedPollMs = 50;

export type WatchFolder = (folder: string, listener: (event: string, name: string | null) => void) => FSWatcher;

export class CommitSignal {
  readonly #file: DataFile;
  readonly #clock: Clock;
  readonly #check: () => void;
  #watcher: FSWatcher | undefined;
  /** Some file systems accept a watch and never report anything: only an event shows that it works. */
  #isWatching = false;
  #nextCheck: Timer | undefined;
  #step = 0;
  readonly #poll: Timer;

  /** `check` is called whenever there may be a commit; it is cheap and does not throw. */
  constructor(file: DataFile, clock: Clock, check: () => void, watchFolder: WatchFolder = watch) {
    this.#file = file;
    this.#clock = clock;
    this.#check = check;
    this.#watch(watchFolder);
    const intervalMs = () => (this.#isWatching ? pollMs : unwatchedPollMs);
    this.#poll = every(clock, intervalMs, check);
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
    this.#nextCheck?.cancel();
    this.#poll.cancel();
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
        if (name === wakeName) this.#check();
        else if (name === logName || name === null) this.#startSeries();
      });
      this.#watcher.on('error', () => this.#stopWatching());
      this.#watcher.unref();
    } catch {
      this.#stopWatching();
    }
  }

  #stopWatching(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    this.#isWatching = false;
  }

  /** Starts the series again, unless it is at its first step: otherwise frequent events would prevent every check. */
  #startSeries(): void {
    if (this.#nextCheck && this.#step === 0) return;
    this.#nextCheck?.cancel();
    this.#checkLater(0);
  }

  #checkLater(step: number): void {
    const ms = seriesMs[step];
    this.#step = step;
    this.#nextCheck = undefined;
    if (ms === undefined) return;
    this.#nextCheck = this.#clock.after(ms, () => {
      this.#check();
      this.#checkLater(step + 1);
    });
  }
}
