// The topics of vCons. A resource names those it depends on; a write compares the document before and after, and
// announces only the topics that differ.
import { isDeepStrictEqual } from 'node:util';
import { type Json, type JsonObject, isList, isObject } from '../model/json.ts';
import { tagsOf } from '../model/tags.ts';
import { type ArrayName, arrayNames } from '../model/vcon.ts';

/** Announced when a list of vCons changes: by its members, their order or the columns it shows. */
export const collectionTopic = 'vcons';

/** How many of the newest have a topic of their own: no more can be requested in full. */
export const maxRecent = 100;

/** The content of the conversation at this rank among the newest. */
export const rankTopic = (rank: number) => `vcons:rank:${rank}`;

/** The conversation was created, deleted or replaced. */
export const wholeTopic = (uuid: string) => `vcon:${uuid}`;

type VconPart = 'head' | ArrayName;
const parts: readonly VconPart[] = ['head', ...arrayNames];

export const partTopic = (uuid: string, part: VconPart) => `${wholeTopic(uuid)}:${part}`;
const entryTopic = (uuid: string, name: ArrayName, index: number) => `${partTopic(uuid, name)}:${index}`;
const typeTopic = (uuid: string, name: ArrayName, type: string) => `${partTopic(uuid, name)}:type:${type}`;
/** One topic for all entries, used when many change at once. */
const manyEntriesTopic = (uuid: string, name: ArrayName) => `${partTopic(uuid, name)}:entries`;
const manyTypesTopic = (uuid: string, name: ArrayName) => `${partTopic(uuid, name)}:types`;
export const tagsTopic = (uuid: string) => `${wholeTopic(uuid)}:tags`;

/** What a resource of the whole document depends on. */
export const documentTopics = (uuid: string) => [wholeTopic(uuid), ...parts.map((part) => partTopic(uuid, part))];

/** What a resource of one entry depends on. */
export const entryTopics = (uuid: string, name: ArrayName, index: number) => [
  entryTopic(uuid, name, index),
  manyEntriesTopic(uuid, name),
];

/** What a resource of the entries of one type depends on. */
export const typeTopics = (uuid: string, name: ArrayName, type: string) => [
  typeTopic(uuid, name, type),
  manyTypesTopic(uuid, name),
];

/** Which vCons these topics are about. */
export function* uuidsIn(topics: readonly string[]): Iterable<string> {
  for (const topic of topics) {
    const [, uuid] = /^vcon:([0-9a-f-]{36})(?::|$)/.exec(topic) ?? [];
    if (uuid !== undefined) yield uuid;
  }
}

/** More changed entries or types than this are announced under one topic. */
const many = 50;

export function changedTopics(uuid: string, before: JsonObject, after: JsonObject): string[] {
  const topics = arrayNames.flatMap((name) => changedInArray(uuid, name, before[name], after[name]));
  if (!isDeepStrictEqual(withoutArrays(before), withoutArrays(after))) topics.push(partTopic(uuid, 'head'));
  if (!isDeepStrictEqual(tagsOf(before['attachments']), tagsOf(after['attachments']))) topics.push(tagsTopic(uuid));
  return topics;
}

function changedInArray(uuid: string, name: ArrayName, before: Json = [], after: Json = []): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  const [old, now] = [isList(before) ? before : [], isList(after) ? after : []];
  const [oldTypes, nowTypes] = [byType(old), byType(now)];
  const longest = Math.max(old.length, now.length);
  const entries = Array.from({ length: longest }, (_, index) => index)
    .filter((index) => !isDeepStrictEqual(old[index], now[index]))
    .map((index) => entryTopic(uuid, name, index));
  const ofTypes = [...new Set([...oldTypes.keys(), ...nowTypes.keys()])]
    .filter((type) => !isDeepStrictEqual(oldTypes.get(type), nowTypes.get(type)))
    .map((type) => typeTopic(uuid, name, type));
  return [
    partTopic(uuid, name),
    ...(entries.length > many ? [manyEntriesTopic(uuid, name)] : entries),
    ...(ofTypes.length > many ? [manyTypesTopic(uuid, name)] : ofTypes),
  ];
}

/** The entries of every type, in one pass: a list may have thousands of entries, each of a type of its own. */
function byType(entries: readonly Json[]): ReadonlyMap<string, readonly Json[]> {
  const found = new Map<string, Json[]>();
  for (const entry of entries) {
    for (const type of new Set(typesOf(entry))) {
      const others = found.get(type);
      if (others) others.push(entry);
      else found.set(type, [entry]);
    }
  }
  return found;
}

/** The entries of one type; newer attachments say `purpose`. */
export function ofType(entries: readonly Json[], type: string): readonly Json[] {
  return entries.filter((entry) => typesOf(entry).includes(type));
}

export function typesOf(entry: Json): string[] {
  if (!isObject(entry)) return [];
  return [entry['type'], entry['purpose']].filter((type) => typeof type === 'string');
}

function withoutArrays(document: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([key]) => !arrayNames.some((name) => name === key)));
}
