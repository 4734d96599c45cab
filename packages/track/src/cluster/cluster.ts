// This node in a cluster: its id and address, the leases, and the secret that requests between nodes carry.
import type { Clock, Log } from '@tidings/live';
import type { Store } from '@tidings/store';
import { randomBytes } from 'node:crypto';
import type { ClusterTables } from './cluster-schema.ts';
import { ConfigTable } from './config-table.ts';
import { PostgresLeaseTable, clusterTopic } from './lease-table.ts';
import { type Holder, Leases } from './leases.ts';
import { SessionTable } from './session-table.ts';

interface ClusterOptions {
  /** The name of this node in logs, metrics and the list of servers. */
  id: string;
  clock: Clock;
  log: Log;
}

/** Another node, and how to reach it. */
export interface OtherNode {
  readonly id: string;
  readonly url: string;
  /** Headers for requests to the node. */
  readonly headers: Readonly<Record<string, string>>;
}

export class Cluster {
  readonly id: string;
  readonly leases: Leases;
  readonly sessions: SessionTable;
  readonly configs: ConfigTable;
  /** The secret shared by all nodes. */
  readonly secret: string;
  readonly #unfollow: () => void;

  private constructor(store: Store<ClusterTables>, id: string, secret: string, leases: Leases, unfollow: () => void) {
    this.id = id;
    this.secret = secret;
    this.leases = leases;
    this.sessions = new SessionTable(store);
    this.configs = new ConfigTable(store);
    this.#unfollow = unfollow;
  }

  static async open(store: Store<ClusterTables>, { id, clock, log }: ClusterOptions): Promise<Cluster> {
    const secret = await sharedSecret(store);
    const leases = new Leases({ table: new PostgresLeaseTable(store), id, clock, log });
    const want = store.feed.want?.(clusterTopic);
    const stop = store.feed.follow({
      isSelective: true,
      change: ({ topics }) => void (topics.includes(clusterTopic) && leases.look()),
      gap: () => void leases.look(),
    });
    const unfollow = () => {
      want?.end();
      stop();
    };
    return new Cluster(store, id, secret, leases, unfollow);
  }

  /** Publishes this node's address. Before that, it holds no lease. */
  join(url: string): Promise<void> {
    return this.leases.start(url);
  }

  /** The node that holds a lease, if it is another one. */
  otherWith(name: string): OtherNode | undefined {
    return this.#other(this.leases.holder(name));
  }

  async leave(): Promise<void> {
    this.#unfollow();
    await this.leases.close();
  }

  #other(holder: Holder): OtherNode | undefined {
    if (holder.is !== 'other') return undefined;
    return { ...holder.node, headers: { Authorization: `Bearer ${this.secret}` } };
  }
}

/**
 * The first node creates the secret. It may be stored in the database, because all who can read it there can read the
 * journal as well.
 */
async function sharedSecret(store: Store<ClusterTables>): Promise<string> {
  return store.write(async ({ db }) => {
    const made = { only_row: true, secret: randomBytes(32).toString('base64url') };
    await db
      .insertInto('cluster_secret')
      .values(made)
      .onConflict((conflict) => conflict.column('only_row').doNothing())
      .execute();
    const { secret } = await db.selectFrom('cluster_secret').select('secret').executeTakeFirstOrThrow();
    return secret;
  });
}
