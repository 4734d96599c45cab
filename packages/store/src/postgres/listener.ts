// A connection that only listens. It wakes the outbox when somebody committed, and says when it was
// gone, so that what came meanwhile is looked for.
import type { Clock, Timer } from '@tidings/live';
import { Client, type ClientConfig } from 'pg';

const retryMs = { first: 50, longest: 2000 };
const heartbeatMs = 10_000;

export class Listener {
  readonly #config: ClientConfig;
  readonly #channel: string;
  readonly #clock: Clock;
  readonly #wake: () => void;
  #client: Client | undefined;
  #timer: Timer | undefined;
  #pause = retryMs.first;
  #closed = false;

  constructor(config: ClientConfig, channel: string, clock: Clock, wake: () => void) {
    this.#config = config;
    this.#channel = channel;
    this.#clock = clock;
    this.#wake = wake;
  }

  async open(): Promise<void> {
    const client = new Client(this.#config);
    this.#client = client;
    // Without a listener an error would end the process; the end of the connection is enough to know.
    client.on('error', () => undefined);
    client.on('notification', this.#wake);
    client.once('end', () => this.#reopen(client));
    try {
      await client.connect();
      await client.query(`listen "${this.#channel}"`);
      this.#pause = retryMs.first;
      this.#beat(client);
      // What was committed while nobody listened.
      this.#wake();
    } catch {
      this.#reopen(client);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#timer?.cancel();
    await this.#client?.end().catch(() => undefined);
  }

  /** A server that hangs closes nothing: only a question that stays unanswered shows it. */
  #beat(client: Client): void {
    this.#timer = this.#clock.after(heartbeatMs, () => {
      client.query('select 1').then(
        () => this.#beat(client),
        () => this.#reopen(client),
      );
    });
  }

  #reopen(client: Client): void {
    if (this.#closed || client !== this.#client) return;
    this.#client = undefined;
    this.#timer?.cancel();
    client.end().catch(() => undefined);
    this.#timer = this.#clock.after(this.#pause * (0.5 + Math.random()), () => void this.open());
    this.#pause = Math.min(this.#pause * 2, retryMs.longest);
  }
}
