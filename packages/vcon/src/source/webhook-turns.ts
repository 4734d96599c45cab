// Which of the processes on one store sends the webhooks: the one that holds the lease in the row of their address. The
// row also has the position up to which they were sent, and only the holder writes it, so the next one goes on there.
//
//   waiting ──lease taken──► sending ──not renewed in time, or taken by another──► waiting
import { randomUUID } from 'node:crypto';
import type { Clock, Log, Timer } from '@tidings/live';
import { Rerun, every } from '@tidings/live/time';
import { sql } from 'kysely';
import type { VconStore, VconWriting } from './tables.ts';

/** Sends changes until it is closed. */
export interface WebhookTurn {
  close(): Promise<void>;
}

interface WebhookTurnsOptions {
  store: VconStore;
  /** The address, in the form of its row. */
  name: string;
  clock: Clock;
  log: Log;
  /** Starts sending the changes after this position; undefined in the very first turn. */
  begin(this: void, position: string | undefined): Promise<WebhookTurn>;
}

const leaseMs = 6000;
const renewMs = 2000;
/** The lease ends here a little earlier than in the store, so that no two processes hold it at once. */
const marginMs = 250;

export class WebhookTurns {
  readonly #options: WebhookTurnsOptions;
  readonly #owner = randomUUID();
  readonly #looking = new Rerun(() => this.#look());
  #every: Timer | undefined;
  #end: Timer | undefined;
  #turn: WebhookTurn | undefined;
  /** Until when the lease is certain, by `clock.now()`. */
  #until = Number.NEGATIVE_INFINITY;
  #isFailing = false;

  constructor(options: WebhookTurnsOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    await this.#looking.request();
    this.#every = every(this.#options.clock, renewMs, () => void this.#looking.request());
  }

  /** Whether this process may send now. */
  get isOwn(): boolean {
    return this.#options.clock.now() < this.#until;
  }

  /** Records that all changes up to this position were sent. */
  async keep(cursor: string): Promise<void> {
    const { store, name } = this.#options;
    await store.write(async ({ db }) => {
      await db
        .updateTable('webhook_place')
        .set({ cursor })
        .where('url', '=', name)
        .where('owner', '=', this.#owner)
        .execute();
    });
  }

  /** Releases the lease, so that another process continues at its next check. */
  async close(): Promise<void> {
    const { store, name, log } = this.#options;
    this.#every?.cancel();
    await this.#looking.stop();
    await this.#endTurn();
    const release = store.write(async ({ db }) => {
      await db
        .updateTable('webhook_place')
        .set({ owner: null, owner_until: 0 })
        .where('url', '=', name)
        .where('owner', '=', this.#owner)
        .execute();
    });
    await release.catch((error: unknown) => log.warn({ err: error }, 'The lease of webhooks could not be returned.'));
  }

  async #look(): Promise<void> {
    const { clock, log, begin } = this.#options;
    try {
      const asked = clock.now();
      const taken = await this.#take();
      this.#isFailing = false;
      if (taken === undefined) return await this.#endTurn();
      this.#holdUntil(asked + leaseMs - marginMs);
      this.#turn ??= await begin(taken.cursor === '' ? undefined : taken.cursor);
    } catch (error) {
      if (!this.#isFailing) log.warn({ err: error }, 'The lease of webhooks could not be renewed; trying again.');
      this.#isFailing = true;
    }
  }

  /** The row, if this process holds the lease now. */
  #take(): Promise<{ cursor: string } | undefined> {
    const { store, name } = this.#options;
    return store.write(async (writing) => {
      const { db } = writing;
      const now = await this.#date(writing);
      await db
        .insertInto('webhook_place')
        .values({ url: name, cursor: '', owner: null, owner_until: 0 })
        .onConflict((conflict) => conflict.column('url').doNothing())
        .execute();
      return db
        .updateTable('webhook_place')
        .set({ owner: this.#owner, owner_until: now + leaseMs })
        .where('url', '=', name)
        .where((eb) =>
          eb.or([
            eb('owner', '=', this.#owner),
            eb('owner_until', '<=', now),
            // The clock was set back since. Twice the lease, because another process may have read the time a little
            // later.
            eb('owner_until', '>', now + 2 * leaseMs),
          ]),
        )
        .returning('cursor')
        .executeTakeFirst();
    });
  }

  /** Processes on one folder share a clock; those on one database use that of the database. */
  async #date({ db }: VconWriting): Promise<number> {
    const { store, clock } = this.#options;
    if (store.engine === 'sqlite') return clock.date();
    const asked = sql<{ ms: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`;
    const { rows } = await asked.execute(db);
    const [row] = rows;
    if (row === undefined) throw new Error('The database has answered without its time.');
    return row.ms;
  }

  #holdUntil(until: number): void {
    const { clock } = this.#options;
    this.#until = until;
    this.#end?.cancel();
    this.#end = clock.after(Math.max(0, until - clock.now()), () => void this.#endTurn());
  }

  async #endTurn(): Promise<void> {
    this.#until = Number.NEGATIVE_INFINITY;
    this.#end?.cancel();
    const turn = this.#turn;
    this.#turn = undefined;
    await turn?.close();
  }
}
