// For tests of stores and of what stands on them. Needs @modelcontextprotocol/client, as the kit's does.
export type { NoteTables, OpenPlace, StoreCase } from './testing/store-cases.ts';
export { noteMigrations, put, storeCases, textOf } from './testing/store-cases.ts';
