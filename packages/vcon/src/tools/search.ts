// Tools that find vCons by their fields, by tags and by words.
import type { LiveServer } from '@tidings/live';
import { toolArguments } from '@tidings/live/internal';
import { z } from 'zod';
import { criteriaOf, wordsOf } from '../source/search/criteria.ts';
import { newestFirst } from '../source/search/order.ts';
import type { AccessFor } from './access.ts';
import { addMeaningSearches } from './search-by-meaning.ts';
import { listing, output, page, tagPage } from './search-answer.ts';
import { defaultLimit, describedFilters, filters, resultOptions, tags } from './search-input.ts';

const annotations = { readOnlyHint: true };
const cursor = z.string().optional().describe('The next_cursor of the previous page.');

export function addSearchTools(server: LiveServer, accessFor: AccessFor): void {
  addFieldSearch(server, accessFor);
  addTagSearch(server, accessFor);
  addWordSearch(server, accessFor);
  addMeaningSearches(server, accessFor);
}

function addFieldSearch(server: LiveServer, accessFor: AccessFor): void {
  server.tool(
    'search_vcons',
    {
      title: 'Search vCons',
      description: 'vCons that match all given arguments, in order and page by page. Without arguments: all.',
      input: toolArguments({
        ...describedFilters,
        query: z.string().optional().describe('Words that must all occur, as in search_vcons_content.'),
        order_by: z.enum(['created_at', 'subject']).optional().describe('Default: created_at.'),
        order: z.enum(['asc', 'desc']).optional().describe('Default: desc for created_at, asc for subject.'),
        ...resultOptions,
        cursor,
      }),
      output: page,
      annotations,
    },
    async (args, { caller, mcpReq }) => {
      const { order_by: by = 'created_at', order, limit = defaultLimit, cursor, ...others } = args;
      const { response_format: format, include_count, ...wanted } = others;
      const access = accessFor(caller);
      const searcher = access.searcher(mcpReq.signal);
      const criteria = criteriaOf(wanted);
      const direction = order ?? (by === 'subject' ? 'asc' : 'desc');
      const { results, nextCursor } = await searcher.find(criteria, { by, direction }, limit, cursor);
      const total_count = include_count ? await searcher.count(criteria) : undefined;
      const more = { total_count, has_more: nextCursor !== null, next_cursor: nextCursor };
      return listing(access, { found: results, format, more });
    },
  );
}

function addTagSearch(server: LiveServer, accessFor: AccessFor): void {
  server.tool(
    'search_by_tags',
    {
      title: 'Search by tags',
      description: 'vCons that have all these tags, the newest first. get_unique_tags lists the tags in use.',
      input: toolArguments({
        ...filters,
        tags: tags.describe('Such as {"department": "support"}.'),
        ...resultOptions,
        return_full_vcons: z.boolean().optional().describe('The same as response_format full.'),
        max_full_vcons: z.int().min(1).max(1000).optional().describe('Only so many of them in full.'),
        cursor,
      }),
      output: tagPage,
      annotations,
    },
    async (args, { caller, mcpReq }) => {
      const { limit = defaultLimit, cursor, response_format, include_count, ...others } = args;
      const { return_full_vcons = false, max_full_vcons: mostFull, ...wanted } = others;
      const access = accessFor(caller);
      const searcher = access.searcher(mcpReq.signal);
      const criteria = criteriaOf(wanted);
      const { results, nextCursor } = await searcher.find(criteria, newestFirst, limit, cursor);
      const total_count = include_count ? await searcher.count(criteria) : undefined;
      const more = { total_count, has_more: nextCursor !== null, next_cursor: nextCursor };
      const format = response_format ?? (return_full_vcons ? 'full' : undefined);
      return listing(access, { found: results, format, mostFull, more });
    },
  );
}

function addWordSearch(server: LiveServer, accessFor: AccessFor): void {
  server.tool(
    'search_vcons_content',
    {
      title: 'Search by words',
      description:
        'vCons in whose subject, dialog or analysis all the words occur, in any order and ignoring case; of the last ' +
        'one, three letters of its beginning are enough. The best match comes first. Tags, dates and parties that ' +
        'are given must match too.',
      input: toolArguments({ query: z.string().describe('Words.'), ...filters, ...resultOptions }),
      output,
      annotations,
    },
    async ({ query, limit = defaultLimit, response_format: format, include_count, ...wanted }, { caller, mcpReq }) => {
      const access = accessFor(caller);
      const searcher = access.searcher(mcpReq.signal);
      const criteria = { ...criteriaOf(wanted), words: wordsOf(query) };
      const found = await searcher.byWords(criteria, limit);
      const total_count = include_count ? await searcher.count(criteria) : undefined;
      return listing(access, { found, format, more: { total_count } });
    },
  );
}
