// The agent sessions of all nodes: the request of each, and the cursor up to which its agent was notified.
import type { Store } from '@tidings/store';
import type { ClusterTables } from './cluster-schema.ts';
import { type Claim, claimsIn, clusterTopic } from './lease-table.ts';

export interface StoredSession {
  readonly id: string;
  /** As JSON. Contains names of keys and no keys. */
  readonly request: string;
  /** The cursor of the last event that the agent was notified of. */
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

  /** Resolves with false if there is one with this id already. */
  add(session: StoredSession): Promise<boolean> {
    return this.#store.write(async ({ db, announce }) => {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('agent_session')
        .values(session)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirstOrThrow();
      if (numInsertedOrUpdatedRows === 0n) return false;
      announce(clusterTopic);
      return true;
    });
  }

  remove(id: string): Promise<void> {
    return this.#store.write(async ({ db, announce }) => {
      await db.deleteFrom('agent_session').where('id', '=', id).execute();
      announce(clusterTopic);
    });
  }

  /** Moves the cursor if the claim is still valid: another node may have notified the agent of later events. */
  recorded(id: string, cursor: string, claim: Claim): Promise<void> {
    return this.#store.write(async ({ db }) => {
      const isValid = await claimsIn(db, [claim]);
      if (isValid(claim)) await db.updateTable('agent_session').set({ cursor }).where('id', '=', id).execute();
    });
  }
}
