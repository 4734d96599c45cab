// The port that stores the events of one server, and what they reported of its resources.
import type { RememberedResource } from '../mirror/resource-record.ts';
import type { UndatedEvent } from '@tidings/client/contract';

export interface JournalRecorder {
  /** Appends an event to the journal. */
  append(event: UndatedEvent): void;
  /**
   * Stores what the journal's readers were told of a resource, together with the events appended before, or after them.
   */
  reported(uri: string, state: RememberedResource): void;
  /** The journal has reported that the resource is not listed any more. */
  drop(uri: string): void;
  /** The server was removed from the configuration. */
  dropAll(): void;
}
