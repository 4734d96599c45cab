// The feed's own connection. It listens for commits of other processes, and reads the outbox even when every
// connection of the pool is in use. When it breaks it is opened again, and `wake` is called, since commits may have
// been missed meanwhile.
import type { Clock, Timer } from '@tidings/live';
import { Backoff, Rerun, backoffMs } from '@tidings/live/time';
import { Client, type ClientConfig } from 'pg';
import { isAway } from './explain.ts';
import { withinMs } from './within-ms.ts';

const retry = { firstMs: 50, longestMs: 1000 };
/**
 * A connection whose peer vanished is not closed: only a query without an answer shows it. The outbox is read every
 * second, so this is noticed within four. A server that is slow rather than gone is given twice as long each time.
 */
const patience = { firstMs: 3000, longestMs: 24_000 };
/** Most attempts to connect are short, so that the next one follows soon; some are long, for a slow server. */
const connectMs = [3000, 3000, 10_000] as const;

export class FeedConnection {
  readonly #config: ClientConfig;
  readonly #channel: string | undefined;
  readonly #clock: Clock;
  readonly #wake: () => void;
  readonly #backoff = new Backoff(retry);
  // Other processes read the outbox once a second anyway.
  readonly #notification = new Rerun(() => this.query(`notify "${this.#channel}"`).catch(() => undefined));
  #client: Client | undefined;
  #retry: Timer | undefined;
  /** Queries in a row that took longer than their time limit. */
  #lateAnswers = 0;
  #attempts = 0;
  #isClosed = false;

  /** `channel`: on which processes wake each other; undefined if a bus does that. */
  constructor(config: ClientConfig, channel: string | undefined, clock: Clock, wake: () => void) {
    this.#config = config;
    this.#channel = channel;
    this.#clock = clock;
    this.#wake = wake;
  }

  async open(): Promise<void> {
    const connectionTimeoutMillis = connectMs[this.#attempts % connectMs.length] ?? connectMs[0];
    this.#attempts += 1;
    const client = new Client({ ...this.#config, connectionTimeoutMillis });
    // Without a listener an error would end the process; `end`, which follows it, is handled below.
    client.on('error', () => undefined);
    client.on('notification', this.#wake);
    client.once('end', () => this.#lose(client));
    try {
      await client.connect();
      if (this.#channel !== undefined) await this.#answered(client.query(`listen "${this.#channel}"`));
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    this.#client = client;
    this.#backoff.reset();
    this.#attempts = 0;
  }

  async query(text: string, values: readonly unknown[] = []): Promise<unknown[]> {
    const client = this.#client;
    if (!client) throw new Error('Reconnecting to PostgreSQL.');
    try {
      const { rows } = await this.#answered(client.query<Record<string, unknown>>(text, [...values]));
      return rows;
    } catch (error) {
      if (isAway(error)) this.#lose(client);
      throw error;
    }
  }

  /** Notifies other processes of a commit; commits during a notification share the next one. */
  notify(): void {
    if (this.#channel !== undefined) void this.#notification.request();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#retry?.cancel();
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
  }

  async #answered<T>(answer: Promise<T>): Promise<T> {
    const [sentAt, late] = [this.#clock.now(), this.#lateAnswers];
    const limitMs = backoffMs(late + 1, patience);
    const result = await withinMs(limitMs, answer, this.#clock).catch((error: unknown) => {
      if (this.#clock.now() - sentAt >= limitMs) this.#lateAnswers = late + 1;
      throw error;
    });
    if (this.#clock.now() - sentAt < patience.firstMs) this.#lateAnswers = 0;
    return result;
  }

  #lose(client: Client): void {
    if (client !== this.#client) return;
    this.#client = undefined;
    client.end().catch(() => undefined);
    this.#reopen();
  }

  #reopen(): void {
    if (this.#isClosed) return;
    this.#retry = this.#clock.after(this.#backoff.next(), () => {
      void this.#openAgain();
    });
  }

  async #openAgain(): Promise<void> {
    try {
      await this.open();
    } catch {
      this.#reopen();
      return;
    }
    if (this.#isClosed) await this.close();
    else this.#wake();
  }
}
