// The tables of a cluster. They exist on PostgreSQL only: processes that share a data folder run on one machine and are
// not a cluster.
import type { Migration } from '@tidings/store';

export interface ClusterTables {
  /** One row: the secret that authenticates requests between nodes. */
  cluster_secret: { only_row: boolean; secret: string };
  /** `ends` is in the database's time. A node that does not renew its row counts as ended. */
  node: { id: string; url: string; ends: Date };
  /** `fence` grows with each new holder, and every write of a holder carries it. An empty `node` means no holder. */
  lease: { name: string; node: string; fence: number };
  /** The holder's notes about a lease. A row whose node is not the holder is out of date. */
  lease_detail: { name: string; node: string; detail: string };
  agent_session: { id: string; request: string; cursor: string };
  /** At most one row. */
  configuration: { only_row: boolean; text: string };
}

export const clusterMigration: Migration = {
  name: 'cluster',
  up: async ({ engine, run }) => {
    if (engine !== 'postgres') return;
    await run('create table cluster_secret (only_row boolean primary key default true, secret text not null)');
    await run('create table node (id text primary key, url text not null, ends timestamptz not null)');
    await run(
      'create table lease (name text primary key, node text not null, fence integer not null, ends timestamptz not null, detail text)',
    );
  },
};

export const sessionMigration: Migration = {
  name: 'agent sessions',
  up: async ({ engine, run }) => {
    if (engine !== 'postgres') return;
    await run('create table agent_session (id text primary key, request text not null, cursor text not null)');
  },
};

export const configMigration: Migration = {
  name: 'configuration',
  up: async ({ engine, run }) => {
    if (engine !== 'postgres') return;
    await run('create table configuration (only_row boolean primary key, text text not null)');
  },
};

export const leaseDetailMigration: Migration = {
  name: 'leases end with their node',
  up: async ({ engine, run }) => {
    if (engine !== 'postgres') return;
    await run('alter table lease drop column ends, drop column detail');
    await run('create table lease_detail (name text primary key, node text not null, detail text not null)');
  },
};
