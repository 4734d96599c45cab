// The agent sessions that the nodes have together: what was asked for, and up to where the agent was told.
import type { Store } from '@tidings/store';
import type { ClusterTables } from './cluster-schema.ts';
import { type Claim, claimsIn, clusterTopic } from './lease-table.ts';

export interface StoredSession {
  readonly id: string;
  /** As JSON; it names keys and holds none. */
  readonly request: string;
  /** Of the last event of which the agent was told. */
  readonly cursor: string;
}

export class SessionTable {
  readonly #store: Store<ClusterTables>;

  constructor(store: Store<ClusterTables>) {
    this.#store = store;
  }

  all(): Promise<StoredSession[]> {
    return this.#store.db.selectFrom('agent_session').selectAll().orderBy('id').execute();
  }

  add(session: StoredSession): Promise<void> {
    return this.#store.write(async ({ db, announce }) => {
      await db.insertInto('agent_session').values(session).execute();
      announce(clusterTopic);
    });
  }

  remove(id: string): Promise<void> {
    return this.#store.write(async ({ db, announce }) => {
      await db.deleteFrom('agent_session').where('id', '=', id).execute();
      announce(clusterTopic);
    });
  }

  /** Only while the claim holds: another node may have told its agent more. */
  told(id: string, cursor: string, claim: Claim): Promise<void> {
    return this.#store.write(async ({ db }) => {
      const isValid = await claimsIn(db, [claim]);
      if (isValid(claim)) await db.updateTable('agent_session').set({ cursor }).where('id', '=', id).execute();
    });
  }
}
