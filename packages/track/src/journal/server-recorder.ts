// The recorder of one server: appends events to the journal, and stores what they reported of resources in the archive.
import type { Claim } from '../cluster/lease-table.ts';
import type { RememberedResource } from '../mirror/resource-record.ts';
import type { Archive } from './archive.ts';
import type { UndatedEvent } from '@tidings/client/contract';
import type { Journal } from './journal.ts';
import type { JournalRecorder } from './journal-recorder.ts';

export class ServerRecorder implements JournalRecorder {
  readonly #serverId: string;
  readonly #journal: Journal;
  readonly #archive: Archive | undefined;
  readonly #claim: Claim | undefined;

  /** `claim`: in a cluster, writes count only while this node holds the server's lease. */
  constructor(serverId: string, journal: Journal, archive: Archive | undefined, claim?: Claim) {
    this.#serverId = serverId;
    this.#journal = journal;
    this.#archive = archive;
    this.#claim = claim;
  }

  append(event: UndatedEvent): void {
    const entry = this.#journal.append(event);
    this.#archive?.event(entry, this.#claim);
  }

  told(uri: string, state: RememberedResource): void {
    this.#archive?.resource({ server: this.#serverId, uri, state, claim: this.#claim });
  }

  drop(uri: string): void {
    this.#archive?.resource({ server: this.#serverId, uri, state: 'gone', claim: this.#claim });
  }

  dropAll(): void {
    this.#archive?.server(this.#serverId, this.#claim);
  }
}

/** For a server that another node tracks and journals. */
export const silentRecorder: JournalRecorder = {
  append: () => undefined,
  told: () => undefined,
  drop: () => undefined,
  dropAll: () => undefined,
};
