// One session's transcript as it grows: listed, then followed from there.
import { readTranscript, transcriptPath } from '../hub/api.ts';
import { type TranscriptEntry, transcriptEntrySchema } from '../hub/schemas.ts';
import { framesOf } from '../hub/server-sent-events.ts';
import { Observable } from './observable.ts';

const mostEntries = 2000;

export class TranscriptReader extends Observable {
  readonly #id: string;
  readonly #abort = new AbortController();
  #entries: TranscriptEntry[] = [];

  constructor(id: string) {
    super();
    this.#id = id;
  }

  get entries(): readonly TranscriptEntry[] {
    return this.#entries;
  }

  /** Until it is closed or the hub is gone: then, whoever knows that the hub is back makes another. */
  async follow(): Promise<void> {
    try {
      this.#entries = await readTranscript(this.#id);
      this.changed();
      const headers = { Accept: 'text/event-stream', 'Last-Event-ID': String(this.#entries.at(-1)?.id ?? 0) };
      const answer = await fetch(transcriptPath(this.#id), { headers, signal: this.#abort.signal, cache: 'no-store' });
      if (!answer.ok || answer.body === null) return;
      for await (const { data } of framesOf(answer.body, () => undefined)) this.#add(JSON.parse(data));
    } catch {
      // Gone, or closed.
    }
  }

  close(): void {
    this.#abort.abort();
  }

  #add(data: unknown): void {
    const entry = transcriptEntrySchema.safeParse(data);
    if (!entry.success) return;
    this.#entries.push(entry.data);
    if (this.#entries.length > mostEntries * 1.1) this.#entries = this.#entries.slice(-mostEntries);
    this.changed();
  }
}
