// For tests of stores and of what stands on them. Needs @modelcontextprotocol/client, as the kit's does.
export type { NoteStore, NoteTables } from './testing/notes.ts';
export { Recorder, noteMigrations, put, textOf } from './testing/notes.ts';
export type { OpenPlace, StoreCase } from './testing/store-case.ts';
export { storeCases } from './testing/store-cases.ts';
