// The resources of the vCon server: collections, conversations, and parts of each.
import type { LiveServer } from '@tidings/live';
import { addArrays } from './resources/arrays.ts';
import { addCollections } from './resources/collections.ts';
import type { ReaderFor } from './resources/conversation-base.ts';
import { addConversations } from './resources/conversations.ts';
import { addDerived } from './resources/derived.ts';
import { addOldNames } from './resources/old-names.ts';

export function addResources(server: LiveServer, readerFor: ReaderFor): void {
  addCollections(server, readerFor);
  addConversations(server, readerFor);
  addArrays(server, readerFor);
  addDerived(server, readerFor);
  addOldNames(server);
}
