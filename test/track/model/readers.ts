// Listeners that read again when they are told, and only then. What they hold in the end must be the truth.
import type { TrackerEvent } from '@tidings/client/contract';
import type { ModelServer } from './server.ts';

export const gone = '(gone)';

/**
 * A read failed because the server said so; or the journal cannot know of it, since another node writes it, or the
 * resource is not listed any more. Its reader has to try again.
 */
export class ReadAgain extends Error {}

export interface ReadInProgress {
  read(uri: string): Promise<string>;
}

/** Holds a copy of each resource; told that one is old, it reads that one through the tracker, once. */
export class Reader {
  readonly held = new Map<string, string>();
  readonly told = new Set<string>();
  timesTold = 0;
  readonly name: string;
  reading: ReadInProgress | undefined;
  #reads = 0;
  /** The number of the last read of each, until it is answered. */
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

  /** The process that it read through has ended: what was not answered is read again. */
  interrupted(): void {
    for (const uri of this.#readsUnderWay.keys()) this.told.add(uri);
    this.#readsUnderWay.clear();
  }

  /** A read that fails leaves what was held: it is not tried again until told. */
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

/** One that follows the journal with a cursor. */
export class JournalReader extends Reader {
  cursor = 0;
  isAttached = true;
  readonly #uris: readonly string[];
  readonly #direct: ModelServer | undefined;

  /** With `direct`, it reads from the server itself, the moment it is told. */
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
