// The transcript of a session: read once, then followed from there.
import { type Clock, systemClock } from '@tidings/live/time';
import { HubError } from '../hub/hub-request.ts';
import { readTranscript, requestTranscript } from '../hub/api.ts';
import { transcriptEntry, type TranscriptEntry } from '@tidings/client/contract';
import { FollowedStream } from '@tidings/client';
import { Observable } from './observable.ts';

const mostEntries = 2000;
const pauses = { firstMs: 1500, longestMs: 5000 };

export class TranscriptReader extends Observable {
  readonly #id: string;
  readonly #stream: FollowedStream<TranscriptEntry>;
  #entries: TranscriptEntry[] = [];
  #isRead = false;

  constructor(id: string, clock: Clock = systemClock) {
    super();
    this.#id = id;
    this.#stream = new FollowedStream({
      clock,
      pauses,
      request: (_cursor, signal) => this.#request(signal),
      parse: (data) => transcriptEntry.safeParse(data).data,
      event: (entry) => this.#add(entry),
      state: () => undefined,
    });
  }

  get entries(): readonly TranscriptEntry[] {
    return this.#entries;
  }

  /** Whether it was read at least once. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** Follows until it is closed, or the session no longer exists. */
  start(): void {
    this.#stream.start();
  }

  close(): void {
    this.#stream.close();
  }

  /** Listed at each connection: after a restart of the hub, numbers start again. */
  async #request(signal: AbortSignal): Promise<Response> {
    try {
      const entries = await readTranscript(this.#id, signal);
      if (!signal.aborted) {
        this.#entries = entries;
        this.#isRead = true;
        this.changed();
      }
      return await requestTranscript(this.#id, entries.at(-1)?.id ?? 0, signal);
    } catch (error) {
      if (error instanceof HubError && error.status === 404) this.close();
      throw error;
    }
  }

  #add(entry: TranscriptEntry): void {
    this.#entries.push(entry);
    if (this.#entries.length > mostEntries * 1.1) this.#entries = this.#entries.slice(-mostEntries);
    this.changed();
  }
}
