// One conversation: in full, or without its content.
import type { LiveServer } from '@tidings/live';
import type { Json } from '../model/json.ts';
import { documentTopics, partTopic } from '../source/topics.ts';
import { type ReaderFor, base, jsonType, known, uuids } from './conversation-base.ts';
import { addPart } from './part.ts';

/** How many `resources/list` names. */
const listedConversations = 100;

export function addConversations(server: LiveServer, readerFor: ReaderFor): void {
  server.resource(`${base}/{uuid}`, {
    ...jsonType,
    name: 'Conversation',
    description: 'One vCon in full.',
    read: ({ uuid }, { caller }) => readerFor(caller).document(known(uuid)),
    list: async (caller) => {
      const newest = await readerFor(caller).summaries(listedConversations);
      return newest.map(({ uuid, subject, createdAt }) => [
        { uuid },
        { name: nameOf(subject, uuid), ...since(createdAt) },
      ]);
    },
    complete: { uuid: uuids(readerFor) },
    topics: ({ uuid }) => documentTopics(uuid.toLowerCase()),
  });

  addPart(server, readerFor, 'metadata', {
    description: 'Everything about a vCon but parties, dialog, analysis and attachments.',
    read: async (uuid, reader) => {
      const head = await reader.head(uuid);
      // `Object.assign`, not a spread: up to Node 20, each later member of a spread takes a microsecond.
      return Object.assign({}, head, {
        extensions: head['extensions'] ?? [],
        must_support: head['must_support'] ?? head['critical'] ?? [],
      });
    },
    topics: (uuid) => [partTopic(uuid, 'head')],
  });
}

function nameOf(subject: Json, uuid: string): string {
  return typeof subject === 'string' && subject.trim() !== '' ? subject : uuid;
}

function since(createdAt: Json): { description?: string } {
  return typeof createdAt === 'string' ? { description: `Conversation of ${createdAt}` } : {};
}
