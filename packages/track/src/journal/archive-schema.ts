// The tables of the archive.
import type { Migration } from '@tidings/store';
import type { Generated } from 'kysely';
import {
  type ClusterTables,
  clusterMigration,
  configMigration,
  leaseDetailMigration,
  sessionMigration,
} from '../cluster/cluster-schema.ts';

export interface ArchiveTables extends ClusterTables {
  event: { position: Generated<number>; cursor: string; json: string };
  /** What the journal's readers were told of each resource; `listed` is 1 if it was reported as listed. */
  resource: { server: string; uri: string; hash: string | null; listed: number };
  /** `name` is JSON, which contains no character that a database rejects. So are the two definitions. */
  definition: { server: string; kind: string; name: string; agreed: string | null; seen: string };
  /** Which kinds of definitions of a server have been read. */
  definition_sight: { server: string; kind: string };
  /** `asks` is 1 if a 2025-era server has shown that it asks its client questions. */
  era: { address: string; era: 'legacy' | 'modern'; at: string; asks: number };
}

export const migrations: readonly Migration[] = [
  {
    name: 'journal',
    up: async ({ engine, run }) => {
      const position =
        engine === 'sqlite' ? 'integer primary key autoincrement' : 'bigint generated always as identity primary key';
      await run(`create table event (position ${position}, cursor text not null, json text not null)`);
      await run(
        'create table resource (server text not null, uri text not null, hash text, primary key (server, uri))',
      );
      await run('create table era (address text primary key, era text not null, at text not null)');
    },
  },
  {
    name: 'definitions',
    up: async ({ run }) => {
      await run(
        'create table definition (server text not null, kind text not null, name text not null, agreed text, seen text not null, primary key (server, kind, name))',
      );
      await run('create table definition_sight (server text not null, kind text not null, primary key (server, kind))');
    },
  },
  {
    name: 'listed',
    up: ({ run }) => run('alter table resource add column listed integer not null default 1'),
  },
  clusterMigration,
  sessionMigration,
  {
    name: 'asks',
    up: ({ run }) => run('alter table era add column asks integer not null default 0'),
  },
  configMigration,
  leaseDetailMigration,
];
