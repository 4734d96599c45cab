// A short form of a vCon: parties, counts, tags, and stored summaries.
import { textsOf } from '../model/body.ts';
import { type Json, type JsonObject, isList, isObject } from '../model/json.ts';
import { tagsOf } from '../model/tags.ts';
import { ofType, typesOf } from '../source/topics.ts';
import type { VconReader } from '../source/vcon-reader.ts';

export async function summaryOf(uuid: string, reader: VconReader): Promise<JsonObject> {
  const { isReadable } = await reader.verification(uuid);
  // Without a key only the head can be read.
  if (!isReadable) return reader.head(uuid);
  const document = await reader.content(uuid);
  const list = (value: Json | undefined) => (isList(value) ? value : []);
  const { parties, dialog, analysis, attachments, ...head } = document;
  const summaries = ofType(list(analysis), 'summary').flatMap((entry) =>
    isObject(entry) ? Array.from(textsOf(entry)) : [],
  );
  return {
    ...head,
    parties: parties ?? [],
    dialog: countsOf(list(dialog)),
    analysis: countsOf(list(analysis)),
    attachments: countsOf(list(attachments)),
    tags: tagsOf(attachments),
    summaries,
  };
}

/** How many there are, and of what types. */
function countsOf(entries: readonly Json[]): JsonObject {
  const types = new Map<string, number>();
  for (const type of entries.flatMap((entry) => typesOf(entry).slice(0, 1)))
    types.set(type, (types.get(type) ?? 0) + 1);
  return { count: entries.length, types: Object.fromEntries(types) };
}
