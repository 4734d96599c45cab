// The port that stores the events of one server, and what they have told of its resources.
import type { RememberedResource } from '../mirror/resource-record.ts';
import type { UndatedEvent } from '@tidings/client/contract';

export interface Recorder {
  /** Appends an event to the journal. */
  append(event: UndatedEvent): void;
  /** What the journal has told of a resource. Stored together with the events appended before, or after them. */
  told(uri: string, state: RememberedResource): void;
  /** The journal has reported that the resource is not listed any more. */
  drop(uri: string): void;
  /** The server was removed from the configuration. */
  dropAll(): void;
}
