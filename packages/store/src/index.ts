export { openStore } from './open-store.ts';
export type { OpenOptions } from './open-store.ts';
export type { Migration, SchemaChange, Store, StoreOptions, Writing } from './store.ts';
