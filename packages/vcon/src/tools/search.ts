// Tools that find vCons: by what is known of them, by tags, by words, by meaning.
import type { LiveServer, ToolResult } from '@tidings/live';
import { z } from 'zod';
import { criteriaOf } from '../source/search/criteria.ts';
import { newestFirst } from '../source/search/order.ts';
import type { Result } from '../source/search/sight.ts';
import type { AccessFor } from './access.ts';
import { answer, vconUri } from './answer.ts';
import { tagValue } from './tags.ts';

const limit = z.int().min(1).max(100).optional().describe('How many, at most 100. Default: 10.');
const defaultLimit = 10;
const tags = z.record(z.string(), tagValue).refine((tags) => Object.keys(tags).length <= 20, 'at most 20 tags');

const found = z.object({
  uuid: z.string(),
  created_at: z.unknown(),
  subject: z.unknown(),
  tags: z.record(z.string(), z.unknown()),
  score: z.number().optional(),
  snippets: z
    .array(z.object({ where: z.string(), text: z.string() }))
    .optional()
    .describe('Where it stands, such as dialog/0, and the words around it.'),
  resource: z.string().describe('Where the vCon can be read, and watched.'),
});
const output = z.object({ count: z.number(), results: z.array(found) });
const page = output.extend({
  has_more: z.boolean(),
  next_cursor: z.string().nullable().describe('Give it as cursor for the next page.'),
});
const annotations = { readOnlyHint: true };

export function addSearchTools(server: LiveServer, accessFor: AccessFor): void {
  addFieldSearches(server, accessFor);
  server.tool(
    'search_vcons_content',
    {
      title: 'Search by words',
      description:
        'vCons in whose subject, dialog or analysis all the words occur, in whatever case and order; of the last ' +
        'one, three letters of its beginning are enough. The best match comes first.',
      input: z.strictObject({ query: z.string().describe('Words.'), limit }),
      output,
      annotations,
    },
    async ({ query, limit = defaultLimit }, { caller, mcpReq }) => {
      const access = accessFor(caller);
      return listing(await access.searcher(mcpReq.signal).byWords(query, limit), access.budget);
    },
  );
  server.tool(
    'search_vcons_semantic',
    {
      title: 'Search by meaning',
      description: 'vCons that are about what the query says, also in other words. The nearest comes first.',
      input: z.strictObject({
        query: z.string().trim().min(1).describe('A sentence or a question.'),
        limit,
        threshold: z.number().min(-1).max(1).optional().describe('Only those with at least this score, from -1 to 1.'),
      }),
      output,
      annotations,
    },
    async ({ query, limit = defaultLimit, threshold }, { caller, mcpReq }) => {
      const access = accessFor(caller);
      return listing(await access.searcher(mcpReq.signal).byMeaning(query, limit, threshold), access.budget);
    },
  );
  server.tool(
    'search_vcons_hybrid',
    {
      title: 'Search by words and meaning',
      description: 'The results of search_vcons_content and search_vcons_semantic as one list.',
      input: z.strictObject({
        query: z.string().trim().min(1),
        limit,
        semantic_weight: z.number().min(0).max(1).optional().describe('0 is words only, 1 meaning only. Default: 0.5.'),
      }),
      output,
      annotations,
    },
    async ({ query, limit = defaultLimit, semantic_weight = 0.5 }, { caller, mcpReq }) => {
      const access = accessFor(caller);
      return listing(await access.searcher(mcpReq.signal).byBoth(query, limit, semantic_weight), access.budget);
    },
  );
}

function addFieldSearches(server: LiveServer, accessFor: AccessFor): void {
  const cursor = z.string().optional().describe('The next_cursor of the previous page.');
  server.tool(
    'search_vcons',
    {
      title: 'Search vCons',
      description: 'vCons to which everything given applies, in order and page by page. Without anything: all.',
      input: z.strictObject({
        subject: z.string().optional().describe('A part of the subject, in whatever case.'),
        party: z.string().optional().describe('A part of a name, telephone number, e-mail address, … of a party.'),
        start_date: z.string().optional().describe('Created then or later: 2025-10-14 or 2025-10-14T10:30:00Z.'),
        end_date: z.string().optional().describe('Created then or earlier; a day counts to its end, in UTC.'),
        tags: tags.optional().describe('Tags it must have, each with this very value.'),
        order_by: z.enum(['created_at', 'subject']).optional().describe('Default: created_at.'),
        order: z.enum(['asc', 'desc']).optional().describe('Default: desc for created_at, asc for subject.'),
        limit,
        cursor,
      }),
      output: page,
      annotations,
    },
    async ({ order_by: by = 'created_at', order, limit = defaultLimit, cursor, ...wanted }, { caller, mcpReq }) => {
      const access = accessFor(caller);
      const direction = order ?? (by === 'subject' ? 'asc' : 'desc');
      const found = await access.searcher(mcpReq.signal).find(criteriaOf(wanted), { by, direction }, limit, cursor);
      return listing(found.results, access.budget, found.nextCursor);
    },
  );
  server.tool(
    'search_by_tags',
    {
      title: 'Search by tags',
      description: 'vCons that have all these tags, the newest first. get_unique_tags shows which there are.',
      input: z.strictObject({ tags: tags.describe('Such as {"department": "support"}.'), limit, cursor }),
      output: page,
      annotations,
    },
    async ({ tags, limit = defaultLimit, cursor }, { caller, mcpReq }) => {
      const access = accessFor(caller);
      const found = await access.searcher(mcpReq.signal).find(criteriaOf({ tags }), newestFirst, limit, cursor);
      return listing(found.results, access.budget, found.nextCursor);
    },
  );
}

function listing(found: readonly Result[], budget: number, nextCursor?: string | null): ToolResult {
  const results = found.map((result) => ({ ...result, resource: vconUri(result.uuid) }));
  const more = nextCursor === undefined ? {} : { has_more: nextCursor !== null, next_cursor: nextCursor };
  const links = results.map(({ resource, subject, uuid }) => ({ uri: resource, name: nameOf(subject, uuid) }));
  return answer({ count: results.length, results, ...more }, { budget, less: 'Give a smaller limit.', links });
}

const longestName = 200;

function nameOf(subject: unknown, uuid: string): string {
  return typeof subject === 'string' && subject.trim() !== '' ? subject.slice(0, longestName).toWellFormed() : uuid;
}
