// A part of a conversation, under the conversation's own address.
import type { LiveServer } from '@tidings/live';
import { wholeTopic } from '../source/topics.ts';
import type { VconReader } from '../source/vcon-reader.ts';
import { type ReaderFor, base, jsonType, known, uuids } from './conversation-base.ts';

interface ResourcePart {
  description: string;
  read(this: void, uuid: string, reader: VconReader): Promise<unknown>;
  topics(this: void, uuid: string): string[];
}

export function addPart(server: LiveServer, readerFor: ReaderFor, name: string, part: ResourcePart): void {
  const { description, read, topics } = part;
  server.resource(`${base}/{uuid}/${name}`, {
    ...jsonType,
    name,
    description,
    read: ({ uuid }: { uuid: string }, { caller }) => read(known(uuid), readerFor(caller)),
    complete: { uuid: uuids(readerFor) },
    topics: ({ uuid }: { uuid: string }) => [wholeTopic(uuid.toLowerCase()), ...topics(uuid.toLowerCase())],
  });
}
