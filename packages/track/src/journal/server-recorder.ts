// The recorder of one server: events go into the journal, what they have told of resources into the archive.
import type { RememberedResource } from '../mirror/resource-record.ts';
import type { Archive } from './archive.ts';
import type { UndatedEvent } from '@tidings/client/contract';
import type { Journal } from './journal.ts';
import type { Recorder } from './recorder.ts';

export class ServerRecorder implements Recorder {
  readonly #serverId: string;
  readonly #journal: Journal;
  readonly #archive: Archive | undefined;

  constructor(serverId: string, journal: Journal, archive: Archive | undefined) {
    this.#serverId = serverId;
    this.#journal = journal;
    this.#archive = archive;
  }

  append(event: UndatedEvent): void {
    this.#journal.append(event);
  }

  told(uri: string, state: RememberedResource): void {
    this.#archive?.resource(this.#serverId, uri, state);
  }

  drop(uri: string): void {
    this.#archive?.resource(this.#serverId, uri, 'gone');
  }

  dropAll(): void {
    this.#archive?.server(this.#serverId);
  }
}
