// The buffer between requests and storage: records are written in batches a few times a second, so that a request never
// waits for a disk. It is bounded: if storage is too slow or fails, the newest records are dropped and counted, and the
// count is logged and recorded once there is room again.
import type { Clock, Log } from '@tidings/live';
import { Later, Rerun } from '@tidings/live/time';
import type { AuditEntry, AuditLog, AuditRecord } from './audit-log.ts';
import { longestArguments } from './audited-request.ts';

/** Stores a batch. Rejects if it could not be stored; the batch is then passed again. */
export interface AuditSink {
  append(records: readonly AuditRecord[]): Promise<void>;
  close(): Promise<void>;
}

interface BufferOptions {
  sink: AuditSink;
  clock: Clock;
  log: Log;
  /** How many records are buffered at most; one that is long counts as several. */
  capacity?: number;
}

const writeEveryMs = 200;
const retryMs = 1000;
const batchSize = 1000;
/** Characters that count as one record. */
const usualLength = 1000;

export class BufferedAuditLog implements AuditLog {
  readonly #sink: AuditSink;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #capacity: number;
  #waiting: AuditRecord[] = [];
  /** The sum of the weights of the waiting records. */
  #held = 0;
  #lost = 0;
  #now = { ms: Number.NaN, text: '' };
  /** Writes one batch at a time, so that records stay in order. */
  readonly #writing = new Rerun(() => this.#write());
  readonly #later: Later;
  #isFailing = false;
  #isClosed = false;

  constructor({ sink, clock, log, capacity = 20_000 }: BufferOptions) {
    this.#sink = sink;
    this.#clock = clock;
    this.#later = new Later(clock, () => void this.#writing.request());
    this.#log = log;
    this.#capacity = capacity;
  }

  record(entry: AuditEntry): void {
    if (this.#isClosed) return;
    if (this.#held >= this.#capacity) {
      if (this.#lost === 0) this.#log.error({}, 'The audit log does not keep up: records are being dropped.');
      this.#lost += 1;
      return;
    }
    this.#hold(entry);
    this.#later.request(writeEveryMs);
  }

  async flush(): Promise<void> {
    this.#later.cancel();
    await this.#writing.request();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.flush();
    if (this.#waiting.length > 0) {
      this.#log.error({ records: this.#waiting.length }, 'The end of the audit log could not be written.');
    }
    await this.#sink.close();
  }

  #hold(entry: AuditEntry): void {
    this.#held += weightOf(entry);
    this.#waiting.push({ time: this.#time(), ...entry });
  }

  /** Formatted once for all records of a millisecond. */
  #time(): string {
    const ms = this.#clock.date();
    if (ms !== this.#now.ms) this.#now = { ms, text: new Date(ms).toISOString() };
    return this.#now.text;
  }

  /** Records that arrive meanwhile wait for their own time: under load each batch would otherwise be a few records. */
  async #write(): Promise<void> {
    let left = this.#waiting.length;
    while (left > 0) {
      const batch = this.#nextBatch(left);
      if (!(await this.#store(batch))) {
        if (!this.#isClosed) this.#later.request(retryMs);
        return;
      }
      left = this.#reportLost() ? this.#waiting.length : left - batch.length;
    }
  }

  /** Resolves with whether the batch was stored; otherwise it stays. */
  async #store(batch: readonly AuditRecord[]): Promise<boolean> {
    try {
      await this.#sink.append(batch);
    } catch (error) {
      if (!this.#isFailing) this.#log.error({ err: error }, 'The audit log could not be written; trying again.');
      this.#isFailing = true;
      return false;
    }
    this.#waiting.splice(0, batch.length);
    for (const record of batch) this.#held -= weightOf(record);
    if (this.#isFailing) this.#log.warn({}, 'The audit log can be written again.');
    this.#isFailing = false;
    return true;
  }

  /** Files are full at some megabytes, and a batch is written to one of them. */
  #nextBatch(most: number): AuditRecord[] {
    let weight = 0;
    const isEnd = (record: AuditRecord) => (weight += weightOf(record)) > batchSize;
    const end = this.#waiting.findIndex(isEnd);
    return this.#waiting.slice(0, end === -1 ? most : Math.min(most, Math.max(1, end)));
  }

  /** Whether there was a loss to report. */
  #reportLost(): boolean {
    if (this.#lost === 0) return false;
    const count = this.#lost;
    this.#lost = 0;
    this.#log.error({ count }, 'Records of the audit log were dropped.');
    const detail = 'The audit log did not keep up: this many records are missing here.';
    const entry = { who: '-', method: 'audit', outcome: 'error', code: 'RECORDS_LOST', count, detail } as const;
    this.#hold(entry);
    return true;
  }
}

/** The number of records as which a long record counts. */
function weightOf({ uri = '', uris = [], arguments: args }: AuditEntry): number {
  const characters = uris.reduce((sum, each) => sum + each.length, uri.length);
  return 1 + Math.floor(characters / usualLength) + (args === undefined ? 0 : longestArguments / usualLength);
}
