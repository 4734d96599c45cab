// A client that reads after each notification, and only then.
import type { TestClient } from '@tidings/live/testing';
import { z } from 'zod';
import type { Committed } from './committed.ts';

export interface Watched {
  uri: string;
  /** The vCons in the resource. */
  uuids: readonly string[];
  /** The subject of each vCon in the content of a read. */
  subjects(this: void, text: string): Map<string, string>;
}

const shown = z.object({ uuid: z.string(), subject: z.string() });
const listed = z.object({ vcons: z.array(shown) });

const base = 'vcon://v1/vcons';
const ofOne = (text: string) => bySubject([shown.parse(JSON.parse(text))]);
const ofMany = (text: string) => bySubject(listed.parse(JSON.parse(text)).vcons);

/** What reader number `index` watches: a vCon, a part of one, or all. */
export function watchedBy(index: number, all: readonly string[]): Watched {
  const uuid = all[index % all.length] ?? '';
  const kinds: Watched[] = [
    { uri: `${base}/${uuid}`, uuids: [uuid], subjects: ofOne },
    { uri: `${base}/${uuid}/metadata`, uuids: [uuid], subjects: ofOne },
    { uri: `${base}/${uuid.toUpperCase()}/`, uuids: [uuid], subjects: ofOne },
    { uri: `${base}/ids/1000`, uuids: all, subjects: ofMany },
  ];
  const kind = kinds[Math.floor(index / all.length) % kinds.length];
  if (kind === undefined) throw new RangeError('There is nothing to watch.');
  return kind;
}

function bySubject(vcons: readonly z.infer<typeof shown>[]): Map<string, string> {
  return new Map(vcons.map(({ uuid, subject }) => [uuid, subject]));
}

export class LoadReader {
  reads = 0;
  /** Resolves when no read is in progress. */
  idle: Promise<void> = Promise.resolve();
  readonly #client: TestClient;
  readonly #watched: Watched;
  readonly #committed: Committed;
  readonly #report: (problem: string) => void;
  readonly #seen = new Map<string, number>();
  #handled = 0;
  #isReading = false;

  constructor(client: TestClient, watched: Watched, committed: Committed, report: (problem: string) => void) {
    this.#client = client;
    this.#watched = watched;
    this.#committed = committed;
    this.#report = report;
  }

  async subscribe(): Promise<void> {
    const { uri } = this.#watched;
    const { honored } = await this.#client.subscribe(uri);
    if (honored.length !== 1) throw new Error(`The subscription to ${uri} was refused.`);
    await this.#read();
  }

  /** Reads if a notification has arrived since the last read began. */
  look(): void {
    if (this.#isReading || this.#client.updates.length === this.#handled) return;
    this.#handled = this.#client.updates.length;
    this.#isReading = true;
    this.idle = this.#read()
      .catch((error: unknown) => this.#report(`${this.state}: ${reasonOf(error)}`))
      .finally(() => (this.#isReading = false));
  }

  hasSeen(last: ReadonlyMap<string, number>): boolean {
    return this.#watched.uuids.every((uuid) => this.#seen.get(uuid) === last.get(uuid));
  }

  get state(): string {
    return `${this.#client.era} ${this.#watched.uri}, told ${this.#client.updates.length} times`;
  }

  async #read(): Promise<void> {
    const committed = await this.#committed.all();
    const subjects = this.#watched.subjects(await this.#client.read(this.#watched.uri));
    this.reads += 1;
    for (const uuid of this.#watched.uuids) {
      const [value, floor] = [Number(subjects.get(uuid)), committed.get(uuid) ?? 0];
      this.#seen.set(uuid, value);
      if (!(value >= floor)) this.#report(`${this.state}: read ${value} of ${uuid} when there was ${floor} already`);
    }
  }
}

/** The message of an error, with its cause, which holds the reason of a failed fetch. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
