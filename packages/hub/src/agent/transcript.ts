// The messages sent to a session and their outcome: the last entries, which can be read and followed.
import type { TranscriptEntry } from '@tidings/client/contract';

const mostEntries = 500;

export class Transcript {
  #entries: TranscriptEntry[] = [];
  #count = 0;
  #isOver = false;
  readonly #now: () => number;
  readonly #listeners = new Set<(entry: TranscriptEntry) => void>();

  constructor(now: () => number) {
    this.#now = now;
  }

  get entries(): readonly TranscriptEntry[] {
    return this.#entries;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  add(kind: TranscriptEntry['kind'], text: string): void {
    this.#count += 1;
    const entry = { id: this.#count, timestamp: new Date(this.#now()).toISOString(), kind, text };
    this.#entries.push(entry);
    // Several at once: removing one at a time would move all the others each time.
    if (this.#entries.length > mostEntries * 1.25) this.#entries = this.#entries.slice(-mostEntries);
    for (const listener of this.#listeners) listener(entry);
  }

  /** Adds a last entry and ends the transcript. */
  end(text: string): void {
    this.#isOver = true;
    this.add('state', text);
  }

  /** Returns a function that stops this. */
  follow(listener: (entry: TranscriptEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
