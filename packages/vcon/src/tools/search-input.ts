// The arguments that searches share, also under vcon-mcp's names.
import { z } from 'zod';
import { tagValue } from './tags.ts';

const limit = z.int().min(1).max(1000).optional().describe('At most 1000. Default: 10.');
export const defaultLimit = 10;
export const tags = z.record(z.string(), tagValue).refine((tags) => Object.keys(tags).length <= 20, 'at most 20 tags');

const text = (description: string) => z.string().optional().describe(description);

/** Criteria that every search accepts. */
export const describedFilters = {
  subject: text('A part of the subject, ignoring case.'),
  party: text('A part of a name, telephone number, e-mail address, … of a party.'),
  party_name: text('A part of it.'),
  party_email: text('A part of it.'),
  party_tel: text('A part of it, however it is written.'),
  start_date: text('Created then or later: 2025-10-14 or 2025-10-14T10:30:00Z.'),
  end_date: text('Created then or earlier; a day to its end, in UTC.'),
  tags: tags.optional().describe('Tags it must have, each with this very value.'),
};

/** The same; a model reads the descriptions once, with search_vcons. */
export const filters = {
  subject: z.string().optional(),
  party: z.string().optional(),
  party_name: z.string().optional(),
  party_email: z.string().optional(),
  party_tel: z.string().optional(),
  start_date: z.string().optional(),
  end_date: z.string().optional(),
  tags: tags.optional(),
};

export const resultOptions = {
  limit,
  response_format: z
    .enum(['full', 'metadata', 'snippets', 'ids_only'])
    .optional()
    .describe('full: with the vCon; metadata: with the length of its lists. Default: snippets.'),
  include_count: z.boolean().optional().describe('Also count all matches, as total_count.'),
};

export const embedding = z
  .array(z.number())
  .min(1)
  .max(16_000)
  .transform((numbers) => Float32Array.from(numbers))
  .optional()
  .describe('A vector of the model that this server uses. Default: made of query.');
