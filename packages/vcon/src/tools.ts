// The tools of the vCon server: create, change and delete vCons and parts of them, and find them.
import type { Clock, LiveServer } from '@tidings/live';
import type { AccessFor } from './tools/access.ts';
import { addDocumentTools } from './tools/documents.ts';
import { addEntryTools } from './tools/entries.ts';
import { addSchemaTools } from './tools/schema.ts';
import { addSearchTools } from './tools/search.ts';
import { addSignatureTools } from './tools/signatures.ts';
import { addTagTools } from './tools/tags.ts';

export function addTools(server: LiveServer, accessFor: AccessFor, clock: Clock): void {
  addDocumentTools(server, accessFor);
  addEntryTools(server, accessFor);
  addTagTools(server, accessFor);
  addSearchTools(server, accessFor);
  addSignatureTools(server, accessFor);
  addSchemaTools(server, clock);
}
