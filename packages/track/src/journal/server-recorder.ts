// The recorder of one server: appends events to the journal, and stores what they reported of resources in the archive.
import type { Claim } from '../cluster/lease-table.ts';
import type { RememberedResource } from '../mirror/resource-record.ts';
import type { Archive } from './archive.ts';
import type { UndatedEvent } from '@tidings/client/contract';
import type { Journal } from './journal.ts';
import type { JournalRecorder } from './journal-recorder.ts';

export interface ServerRecorderOptions {
  serverId: string;
  journal: Journal;
  archive: Archive | undefined;
  /** In a cluster, writes count only while this node holds the server's lease. */
  claim?: Claim | undefined;
  /** Whether the events are about what the operator's own login shows. */
  isOperatorOnly?: boolean;
}

export class ServerRecorder implements JournalRecorder {
  readonly #serverId: string;
  readonly #journal: Journal;
  readonly #archive: Archive | undefined;
  readonly #claim: Claim | undefined;
  readonly #isOperatorOnly: boolean;

  constructor({ serverId, journal, archive, claim, isOperatorOnly = false }: ServerRecorderOptions) {
    this.#serverId = serverId;
    this.#journal = journal;
    this.#archive = archive;
    this.#claim = claim;
    this.#isOperatorOnly = isOperatorOnly;
  }

  append(event: UndatedEvent): void {
    // In the event itself: it may be read after its server was removed or edited.
    const entry = this.#journal.append(this.#isOperatorOnly ? { ...event, operatorOnly: true } : event);
    this.#archive?.event(entry, this.#claim);
  }

  reported(uri: string, state: RememberedResource): void {
    this.#archive?.resource({ server: this.#serverId, uri, state, claim: this.#claim });
  }

  drop(uri: string): void {
    this.#archive?.resource({ server: this.#serverId, uri, state: 'gone', claim: this.#claim });
  }

  dropAll(): void {
    this.#archive?.server(this.#serverId, this.#claim);
  }
}

/** For a server that another node tracks and journals, or that one user follows. */
export const silentRecorder: JournalRecorder = {
  append: () => undefined,
  reported: () => undefined,
  drop: () => undefined,
  dropAll: () => undefined,
};
