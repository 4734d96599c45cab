// Reads that the tracker makes for itself, to compare contents: at once, in the background, and again later if the read
// after a notification showed no change.
import type { Clock } from '@tidings/live';
import { BackgroundReads } from '../../mirror/background-reads.ts';
import { absent } from '../../mirror/fingerprint.ts';
import { FollowUpReads } from '../../mirror/follow-up-reads.ts';
import type { CheckedContent, Mirror } from '../../mirror/mirror.ts';
import type { ResourceRecord } from '../../mirror/resource-record.ts';
import type { ResourceServer } from '../../mirror/resource-server.ts';

interface ResourceReadsDeps {
  mirror: Mirror;
  server: ResourceServer;
  clock: Clock;
  /** Larger contents are not read, unless they are polled. */
  maxContentBytes: number;
}

export interface ReadObserver {
  /** A read has been completed. */
  checked(record: ResourceRecord, found: CheckedContent): void;
  /** Notifies the listeners that hold other content. */
  compare(record: ResourceRecord, hash: string): void;
}

export class ResourceReads {
  readonly #deps: ResourceReadsDeps;
  readonly #observer: ReadObserver;
  readonly #background: BackgroundReads;
  readonly #later: FollowUpReads;

  constructor(deps: ResourceReadsDeps, observer: ReadObserver) {
    const { clock, mirror } = deps;
    this.#deps = deps;
    this.#observer = observer;
    this.#background = new BackgroundReads(async (uri) => {
      const record = mirror.get(uri);
      if (record) await this.now(record);
    }, clock);
    this.#later = new FollowUpReads((uri) => this.#compare(uri), clock);
  }

  /** Reads now. Resolves with undefined if the resource could not be read, or is not followed any more. */
  async now(record: ResourceRecord): Promise<CheckedContent | undefined> {
    const { mirror } = this.#deps;
    try {
      const found = await mirror.check(record.uri);
      if (mirror.get(record.uri) !== record) return undefined;
      record.isTooLarge = found.hash === undefined;
      this.#observer.checked(record, found);
      return found;
    } catch (error) {
      if (isTooLarge(error)) record.isTooLarge = true;
      return undefined;
    }
  }

  /** The hash of the content, if it is worth reading and did not change during the read. */
  async hash(record: ResourceRecord): Promise<string | undefined> {
    const found = this.isWorthReading(record) ? await this.now(record) : undefined;
    return found?.isCurrent && found.hash !== absent ? found.hash : undefined;
  }

  /** Reads in the background, if the content is worth reading. */
  soon(record: ResourceRecord): void {
    if (this.isWorthReading(record)) this.#background.request(record.uri);
  }

  /** Reads in the background, whatever the size. */
  soonAnyway(record: ResourceRecord): void {
    this.#background.request(record.uri);
  }

  /** Reads a few times, with growing pauses. */
  later(record: ResourceRecord): void {
    this.#later.request(record.uri);
  }

  /** Starts the later reads anew, if some are due for an earlier notification. */
  notified({ uri }: ResourceRecord): void {
    this.#later.notified(uri);
  }

  /** Whether the content is small enough to be kept; a larger one would be read only to be discarded. */
  isWorthReading({ uri, isTooLarge: wasTooLarge }: ResourceRecord): boolean {
    const { maxContentBytes, server } = this.#deps;
    return !wasTooLarge && (server.sizeOf(uri) ?? 0) <= maxContentBytes;
  }

  forget(uri: string): void {
    this.#later.forget(uri);
  }

  clear(): void {
    this.#background.clear();
    this.#later.clear();
  }

  async #compare(uri: string): Promise<void> {
    const record = this.#deps.mirror.get(uri);
    const found = record && (await this.now(record));
    if (record && found?.isCurrent === true && found.hash !== undefined) this.#observer.compare(record, found.hash);
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'RESPONSE_TOO_LARGE';
}
