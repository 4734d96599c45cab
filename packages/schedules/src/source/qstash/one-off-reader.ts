// The one-offs in QStash's log or, while only the log cannot be read, those of the last successful read: schedules are
// still shown, and `incomplete` says which part is missing.
import { LiveError, type Log } from '@tidings/live';
import type { LogEntry } from './one-off-log.ts';

interface OneOffSnapshot {
  entries: readonly LogEntry[];
  /** Which part is missing, as text for clients; undefined if the list is complete. */
  incomplete?: string | undefined;
}

export class OneOffReader {
  readonly #read: () => Promise<LogEntry[]>;
  readonly #log: Log;
  #last: { entries: readonly LogEntry[]; at: number } | undefined;
  #isFailing = false;

  constructor(read: () => Promise<LogEntry[]>, log: Log) {
    this.#read = read;
    this.#log = log;
  }

  async read(now: number): Promise<OneOffSnapshot> {
    try {
      const entries = await this.#read();
      this.#last = { entries, at: now };
      return { entries };
    } catch (error) {
      if (!(error instanceof LiveError)) throw error;
      const seen = this.#last;
      const shown = seen
        ? `are shown as of ${new Date(seen.at).toISOString()}`
        : 'that were made elsewhere or before this server was started are missing';
      const incomplete = `One-off notifications ${shown}, because QStash's message log cannot be read. ${error.message}`;
      return { entries: seen?.entries ?? [], incomplete };
    }
  }

  /** Called when schedules were read. Logs once per outage of the log alone; the poll reports an outage of QStash. */
  report({ incomplete }: OneOffSnapshot): void {
    const isFailing = incomplete !== undefined;
    if (isFailing && !this.#isFailing) this.#log.warn({ incomplete }, 'The message log of QStash cannot be read.');
    this.#isFailing = isFailing;
  }
}
