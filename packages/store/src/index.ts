export { openStore } from './open-store.ts';
export type { OpenOptions } from './open-store.ts';
export { lockFolder } from './lock-folder.ts';
export type { FolderLock } from './sqlite/folder-lock.ts';
export type { Generated } from 'kysely';
export { RowStatement } from './row-statement.ts';
export type { Migration, SchemaChange, Store, StoreOptions, Writing } from './store.ts';
export { copyDatabases } from './sqlite/copy-database.ts';
export { databasesInUse } from './sqlite/databases-in-use.ts';
