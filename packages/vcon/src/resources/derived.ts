// Resources derived from the arrays of a conversation.
import type { LiveServer } from '@tidings/live';
import { tagsOf } from '../model/tags.ts';
import { ofType, tagsTopic, typeTopics } from '../source/topics.ts';
import type { ReaderFor } from './conversation-base.ts';
import { addPart } from './part.ts';

export function addDerived(server: LiveServer, readerFor: ReaderFor): void {
  for (const [name, type, key] of [
    ['transcript', 'transcript', 'transcripts'],
    ['summary', 'summary', 'summaries'],
  ] as const) {
    addPart(server, readerFor, name, {
      description: `The analysis of type "${type}".`,
      read: async (uuid, reader) => {
        const entries = ofType(await reader.array(uuid, 'analysis'), type);
        return { count: entries.length, [key]: entries };
      },
      topics: (uuid) => typeTopics(uuid, 'analysis', type),
    });
  }
  addPart(server, readerFor, 'tags', {
    description: 'The tags of a vCon.',
    read: async (uuid, reader) => ({ tags: tagsOf(await reader.array(uuid, 'attachments')) }),
    topics: (uuid) => [tagsTopic(uuid)],
  });
}
