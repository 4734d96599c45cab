// Listeners that read again after a notification, and only then. In the end they must have the server's content.
import type { TrackerEvent } from '@tidings/client/contract';
import type { ModelServer } from './server.ts';

export const gone = '(gone)';

/**
 * The server has refused the read; or the journal cannot report the change, because another node writes it or the
 * resource has left the list. The reader has to try again.
 */
export class ReadAgain extends Error {}

export interface ReadInProgress {
  read(uri: string): Promise<string>;
}

/** Has a copy of each resource; after a notification it reads that resource once, through the tracker. */
export class Reader {
  readonly held = new Map<string, string>();
  readonly told = new Set<string>();
  timesTold = 0;
  readonly name: string;
  reading: ReadInProgress | undefined;
  #reads = 0;
  /** By URI, the number of the last read that is not answered yet. */
  readonly #readsUnderWay = new Map<string, number>();

  constructor(name: string, uris: readonly string[]) {
    this.name = name;
    for (const uri of uris) this.told.add(uri);
  }

  tell(uri: string): void {
    this.timesTold += 1;
    this.told.add(uri);
  }

  act(): void {
    for (const uri of this.told) {
      this.told.delete(uri);
      this.#read(uri);
    }
  }

  /** The process that it read through has ended: unanswered reads are repeated. */
  interrupted(): void {
    for (const uri of this.#readsUnderWay.keys()) this.told.add(uri);
    this.#readsUnderWay.clear();
  }

  /** After a failed read the old content stays until the next notification. */
  #read(uri: string): void {
    this.#reads += 1;
    const number = this.#reads;
    this.#readsUnderWay.set(uri, number);
    const end = () => this.#readsUnderWay.get(uri) === number && this.#readsUnderWay.delete(uri);
    void this.reading?.read(uri).then(
      (text) => {
        if (end()) this.held.set(uri, text);
      },
      (error: unknown) => {
        if (end() && error instanceof ReadAgain) this.told.add(uri);
      },
    );
  }
}

/** A reader that follows the journal with a cursor. */
export class JournalReader extends Reader {
  cursor = 0;
  isAttached = true;
  readonly #uris: readonly string[];
  readonly #direct: ModelServer | undefined;

  /** With `direct`, it reads from the server itself, at the moment of the event. */
  constructor(name: string, uris: readonly string[], direct?: ModelServer) {
    super(name, uris);
    this.#uris = uris;
    this.#direct = direct;
  }

  hear(id: number, event: Pick<TrackerEvent, 'type'> & Record<string, unknown>): void {
    this.cursor = id;
    for (const uri of this.#concerned(event)) this.tell(uri);
  }

  override act(): void {
    if (this.#direct === undefined) return super.act();
    for (const uri of this.told) this.held.set(uri, this.#direct.contents.get(uri) ?? gone);
    this.told.clear();
  }

  override tell(uri: string): void {
    super.tell(uri);
    if (this.#direct !== undefined) this.act();
  }

  #concerned(event: Pick<TrackerEvent, 'type'> & Record<string, unknown>): readonly string[] {
    if (event.type === 'gap') return this.#uris;
    if (event.type === 'resource_update') return this.#uris.filter((uri) => uri === event['resourceUri']);
    if (event.type !== 'list_changed') return [];
    return [event['added'], event['removed']].flatMap((uris) => (Array.isArray(uris) ? uris.map(String) : []));
  }
}
