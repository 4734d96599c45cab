// A JournalRecorder that keeps everything in memory.
import type { UndatedEvent } from '@tidings/client/contract';
import type { JournalRecorder } from '../journal/journal-recorder.ts';
import type { RememberedResource } from '../mirror/resource-record.ts';

export class FakeRecorder implements JournalRecorder {
  readonly events: UndatedEvent[] = [];
  /** What was reported of each resource, by URI. */
  readonly rows: Map<string, RememberedResource>;
  readonly #appended: (event: UndatedEvent) => void;

  /** `rows` are those of an earlier run; `appended` is called with each event. */
  constructor(
    appended: (event: UndatedEvent) => void = () => undefined,
    rows: ReadonlyMap<string, RememberedResource> = new Map(),
  ) {
    this.#appended = appended;
    this.rows = new Map(rows);
  }

  append(event: UndatedEvent): void {
    this.events.push(event);
    this.#appended(event);
  }

  reported(uri: string, state: RememberedResource): void {
    this.rows.set(uri, state);
  }

  drop(uri: string): void {
    this.rows.delete(uri);
  }

  dropAll(): void {
    this.rows.clear();
  }
}
