export { openStore } from './open-store.ts';
export type { OpenOptions } from './open-store.ts';
export type { Generated } from 'kysely';
export type { Migration, SchemaChange, Store, StoreOptions, Writing } from './store.ts';
