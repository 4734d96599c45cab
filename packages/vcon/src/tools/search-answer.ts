// The results of searches, in the detail that response_format requests.
import { LiveError, type ToolResult } from '@tidings/live';
import { z } from 'zod';
import { type Json, type JsonObject, isList } from '../model/json.ts';
import { arrayNames } from '../model/vcon.ts';
import type { Result } from '../source/search/visible-hits.ts';
import type { VconReader } from '../source/vcon-reader.ts';
import type { Access } from './access.ts';
import { answer, answerTooLarge, vconUri } from './answer.ts';

type ResponseFormat = 'full' | 'metadata' | 'snippets' | 'ids_only';

/** Counts of metadata are not listed: a model reads this with every search. */
const found = z.looseObject({
  uuid: z.string(),
  created_at: z.unknown(),
  subject: z.unknown(),
  tags: z.record(z.string(), z.unknown()),
  score: z.number().optional(),
  snippets: z.array(z.object({ where: z.string().describe('Such as dialog/0.'), text: z.string() })).optional(),
  vcon: z.looseObject({}).optional(),
  resource: z.string(),
});

const counts = {
  count: z.number(),
  total_count: z.number().optional(),
};
const places = {
  has_more: z.boolean(),
  next_cursor: z.string().nullable().describe('Give it as cursor for the next page.'),
};
export const page = z.object({ ...counts, results: z.array(z.union([found, z.string()])), ...places });

/** Described once, with search_vcons. */
const results = z.array(z.unknown()).describe('As of search_vcons.');
export const output = z.object({ ...counts, results });
export const tagPage = z.object({ ...counts, results, ...places });

const less = 'Give a smaller limit, or response_format metadata or ids_only.';

interface SearchResults {
  found: readonly Result[];
  format?: ResponseFormat | undefined;
  /** How many of the first matches include the whole vCon. */
  mostFull?: number | undefined;
  /** Other fields of the answer; undefined ones are left out. */
  more?: Record<string, unknown>;
}

export async function listing(
  access: Access,
  { found, format, mostFull, more = {} }: SearchResults,
): Promise<ToolResult> {
  const extra = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined));
  const links = found.map(({ uuid, subject }) => ({ uri: vconUri(uuid), name: nameOf(subject, uuid) }));
  const results =
    format === 'ids_only' ? found.map(({ uuid }) => uuid) : await shownOf(access, found, format, mostFull);
  return answer({ count: results.length, ...extra, results }, { budget: access.budget, less, links });
}

async function shownOf(
  access: Access,
  found: readonly Result[],
  format: ResponseFormat | undefined,
  mostFull = found.length,
): Promise<object[]> {
  const reader = access.reader(Number.POSITIVE_INFINITY);
  const results: object[] = [];
  let room = access.budget;
  for (const [index, result] of found.entries()) {
    const isFull = format === 'full' && index < mostFull;
    const document = isFull || format === 'metadata' ? await documentFor(reader, result.uuid) : undefined;
    if (isFull && document !== undefined) room -= JSON.stringify(document).length;
    if (room < 0) throw answerTooLarge(less);
    results.push({
      ...result,
      ...(format === 'metadata' && document && countsOf(document)),
      ...(isFull && document && { vcon: document }),
      resource: vconUri(result.uuid),
    });
  }
  return results;
}

/** Undefined if the vCon was deleted meanwhile; its head if it cannot be redacted. */
async function documentFor(reader: VconReader, uuid: string): Promise<JsonObject | undefined> {
  try {
    return JSON.parse(await reader.document(uuid));
  } catch (error) {
    if (!(error instanceof LiveError)) throw error;
    if (error.code === 'PERMISSION_DENIED') return reader.head(uuid);
    if (error.code === 'RESOURCE_NOT_FOUND') return undefined;
    throw error;
  }
}

function countsOf(document: JsonObject): Record<string, number> {
  const length = (value: Json | undefined) => (isList(value) ? value.length : 0);
  return Object.fromEntries(arrayNames.map((name) => [`${name}_count`, length(document[name])]));
}

const longestName = 200;

function nameOf(subject: unknown, uuid: string): string {
  return typeof subject === 'string' && subject.trim() !== '' ? subject.slice(0, longestName).toWellFormed() : uuid;
}
