// One session's transcript as it grows: listed, then followed from there.
import { delay, systemClock } from '@tidings/live/time';
import { HubError, readTranscript, transcriptPath } from '../hub/api.ts';
import { transcriptEntry, type TranscriptEntry } from '@tidings/client/contract';
import { eventFrames } from '@tidings/client';
import { Observable } from './observable.ts';

const mostEntries = 2000;
const retryMs = 1500;

export class TranscriptReader extends Observable {
  readonly #id: string;
  readonly #abort = new AbortController();
  #entries: TranscriptEntry[] = [];
  #isRead = false;

  constructor(id: string) {
    super();
    this.#id = id;
  }

  get entries(): readonly TranscriptEntry[] {
    return this.#entries;
  }

  /** Whether it was read at least once. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** Until it is closed, or the session is gone. Reconnects when the connection is lost. */
  async follow(): Promise<void> {
    while (!this.#abort.signal.aborted) {
      try {
        await this.#read();
      } catch (error) {
        if (error instanceof HubError && error.status === 404) return;
      }
      await delay(systemClock, retryMs, this.#abort.signal);
    }
  }

  close(): void {
    this.#abort.abort();
  }

  async #read(): Promise<void> {
    this.#entries = await readTranscript(this.#id);
    this.#isRead = true;
    this.changed();
    const headers = { Accept: 'text/event-stream', 'Last-Event-ID': String(this.#entries.at(-1)?.id ?? 0) };
    const answer = await fetch(transcriptPath(this.#id), { headers, signal: this.#abort.signal, cache: 'no-store' });
    if (!answer.ok || answer.body === null) return;
    for await (const { data } of eventFrames(answer.body)) this.#add(JSON.parse(data));
  }

  #add(data: unknown): void {
    const entry = transcriptEntry.safeParse(data);
    if (!entry.success) return;
    this.#entries.push(entry.data);
    if (this.#entries.length > mostEntries * 1.1) this.#entries = this.#entries.slice(-mostEntries);
    this.changed();
  }
}
