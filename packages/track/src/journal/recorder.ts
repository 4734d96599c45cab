// The port: where the news of one server are kept. Behind it stand the journal and the archive.
import type { RememberedResource } from '../mirror/resource-record.ts';
import type { UndatedEvent } from './event.ts';

export interface Recorder {
  /** Appends an event to the journal. */
  append(this: void, event: UndatedEvent): void;
  /** What the journal has told of a resource. Is archived with the events appended before, or after them. */
  told(this: void, uri: string, state: RememberedResource): void;
  /** The journal has told that it is listed no more. */
  drop(this: void, uri: string): void;
  /** The server is configured no more. */
  dropAll(this: void): void;
}
