// The arrays of a conversation, whole, by entry and by type.
import type { LiveServer } from '@tidings/live';
import { asUuid } from '../model/uuid.ts';
import type { ArrayName } from '../model/vcon.ts';
import { entryTopics, ofType, partTopic, typeTopics, typesOf, wholeTopic } from '../source/topics.ts';
import { type ReaderFor, base, jsonType, known, uuids } from './conversation-base.ts';
import { entryContent } from './entry-content.ts';
import { addPart } from './part.ts';

export function addArrays(server: LiveServer, readerFor: ReaderFor): void {
  addPart(server, readerFor, 'parties', {
    description: 'Who took part.',
    read: async (uuid, reader) => `{"parties":${await reader.arrayText(uuid, 'parties')}}`,
    topics: (uuid) => [partTopic(uuid, 'parties')],
  });
  addPart(server, readerFor, 'analysis', {
    description: 'What was made of a vCon: transcripts, summaries and the like.',
    read: async (uuid, reader) => `{"analysis":${await reader.arrayText(uuid, 'analysis')}}`,
    topics: (uuid) => [partTopic(uuid, 'analysis')],
  });
  const indexed = { dialog: 'What was said, or one piece of it.', attachments: 'What was attached, or one of it.' };
  for (const name of ['dialog', 'attachments'] as const) {
    server.resource(`${base}/{uuid}/${name}{/index}`, {
      ...jsonType,
      name,
      description: `${indexed[name]} A binary body comes as a blob.`,
      read: async ({ uuid, index }, { caller }) => {
        const reader = readerFor(caller);
        if (index === undefined) return `{"${name}":${await reader.arrayText(known(uuid), name)}}`;
        return entryContent(await reader.array(known(uuid), name), name, index);
      },
      complete: { uuid: uuids(readerFor) },
      topics: ({ uuid, index }) => partTopics(uuid.toLowerCase(), name, index),
    });
  }
  for (const name of ['analysis', 'attachments'] as const) {
    server.resource(`${base}/{uuid}/${name}/type/{type}`, {
      ...jsonType,
      name: `${name} of a type`,
      description: `The ${name} of one type.`,
      read: async ({ uuid, type }, { caller }) => {
        const entries = ofType(await readerFor(caller).array(known(uuid), name), type);
        return { count: entries.length, type, [name]: entries };
      },
      complete: {
        uuid: uuids(readerFor),
        type: async (prefix, { uuid }, caller) => {
          if (uuid === undefined || asUuid(uuid) === undefined) return [];
          const types = (await readerFor(caller).array(known(uuid), name)).flatMap(typesOf);
          return [...new Set(types)].filter((type) => type.startsWith(prefix));
        },
      },
      topics: ({ uuid, type }) => [wholeTopic(uuid.toLowerCase()), ...typeTopics(uuid.toLowerCase(), name, type)],
    });
  }
}

/** An entry depends on itself only. */
function partTopics(uuid: string, name: ArrayName, index: string | undefined): string[] {
  if (index === undefined) return [wholeTopic(uuid), partTopic(uuid, name)];
  return [wholeTopic(uuid), ...entryTopics(uuid, name, Number(index))];
}
