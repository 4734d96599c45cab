// Tools that find vCons by meaning, and by meaning and words.
import { type LiveServer, LiveError } from '@tidings/live';
import { toolArguments } from '@tidings/live/internal';
import { z } from 'zod';
import { criteriaOf, wordsOf } from '../source/search/criteria.ts';
import type { AccessFor } from './access.ts';
import { listing, output } from './search-answer.ts';
import { defaultLimit, embedding, filters, resultOptions } from './search-input.ts';

const annotations = { readOnlyHint: true };

export function addMeaningSearches(server: LiveServer, accessFor: AccessFor): void {
  addSemantic(server, accessFor);
  addHybrid(server, accessFor);
}

function addSemantic(server: LiveServer, accessFor: AccessFor): void {
  server.tool(
    'search_vcons_semantic',
    {
      title: 'Search by meaning',
      description: 'vCons with a meaning similar to the query, the nearest first.',
      input: toolArguments({
        query: z.string().trim().min(1).optional().describe('A sentence or a question.'),
        embedding,
        threshold: z.number().min(-1).max(1).optional().describe('Only those with at least this score, from -1 to 1.'),
        ...filters,
        ...resultOptions,
      }),
      output,
      annotations,
    },
    async ({ query, embedding, threshold, limit = defaultLimit, ...others }, { caller, mcpReq }) => {
      if (query === undefined && embedding === undefined) {
        throw new LiveError('INVALID_PARAMS', 'Give a query, or its vector as embedding.');
      }
      const { response_format: format, include_count, ...wanted } = others;
      const access = accessFor(caller);
      const searcher = access.searcher(mcpReq.signal);
      const [vector, criteria] = [await searcher.vectorOf({ query, embedding }), criteriaOf(wanted)];
      const found = await searcher.byMeaning(vector, criteria, limit, threshold);
      const total_count = include_count ? await searcher.countByMeaning(vector, criteria, threshold) : undefined;
      return listing(access, { found, format, more: { total_count } });
    },
  );
}

function addHybrid(server: LiveServer, accessFor: AccessFor): void {
  server.tool(
    'search_vcons_hybrid',
    {
      title: 'Search by words and meaning',
      description:
        'The results of search_vcons_content and search_vcons_semantic as one list; by words only, and saying so, ' +
        'where searching by meaning is not possible.',
      input: toolArguments({
        query: z.string().trim().min(1),
        embedding,
        semantic_weight: z.number().min(0).max(1).optional().describe('0 is words only, 1 meaning only. Default: 0.5.'),
        ...filters,
        ...resultOptions,
      }),
      output: output.extend({
        searched_by: z.enum(['words', 'words and meaning']),
        note: z.string().optional().describe('Why it was by words only.'),
        total_count: z.number().optional().describe('How many match by words, with include_count.'),
      }),
      annotations,
    },
    async ({ query, embedding, semantic_weight = 0.5, limit = defaultLimit, ...others }, { caller, mcpReq }) => {
      const { response_format: format, include_count, ...wanted } = others;
      const access = accessFor(caller);
      const searcher = access.searcher(mcpReq.signal);
      const criteria = { ...criteriaOf(wanted), words: wordsOf(query) };
      const total_count = include_count ? await searcher.count(criteria) : undefined;
      try {
        const vector = await searcher.vectorOf({ query, embedding });
        const found = await searcher.byBoth(vector, criteria, limit, semantic_weight);
        return await listing(access, { found, format, more: { total_count, searched_by: 'words and meaning' } });
      } catch (error) {
        if (!(error instanceof LiveError && error.code === 'UNAVAILABLE')) throw error;
        const found = await searcher.byWords(criteria, limit);
        const note = `This searched by words only. ${error.message}`;
        return listing(access, { found, format, more: { total_count, searched_by: 'words', note } });
      }
    },
  );
}
