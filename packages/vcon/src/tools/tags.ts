// Tools for the tags of one vCon, and for all tags in use.
import type { LiveServer } from '@tidings/live';
import { toolArguments } from '@tidings/live/internal';
import { z } from 'zod';
import { type Json, type JsonObject, isList } from '../model/json.ts';
import { tagsOf, withTags } from '../model/tags.ts';
import { type AccessFor, isForWriters } from './access.ts';
import { answer, changed, done, vconUri } from './answer.ts';
import { uuidIn, whichVcon } from './which-vcon.ts';
import { invalidParams } from '../model/invalid-params.ts';

export const tagValue = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const tags = z.record(z.string(), z.string());

export function addTagTools(server: LiveServer, accessFor: AccessFor): void {
  addTagReading(server, accessFor);
  const output = changed.extend({
    changed: z.boolean().describe('False if it was so already.'),
    updated_at: z.unknown(),
  });
  server.tool(
    'manage_tag',
    {
      title: 'Set or remove a tag',
      description: 'Sets a tag of a vCon, in place of one with the same key, or removes it.',
      input: toolArguments({
        ...whichVcon,
        action: z.enum(['set', 'remove']),
        key: z.string().describe('Without a colon.'),
        value: tagValue.optional().describe('Only to set one.'),
      }),
      output,
      visibleTo: isForWriters(accessFor),
      annotations: { destructiveHint: true, idempotentHint: true },
    },
    async ({ action, key: givenKey, value, ...args }, { caller }) => {
      const key = keyOf(givenKey);
      if (action === 'set' && value === undefined) throw invalidParams('Give the value that the tag is set to.');
      const access = accessFor(caller);
      const uuid = await access.permitted(uuidIn(args));
      const { document, result, warnings } = await access.writable.change(uuid, (before) =>
        retagged(before, (tags) => {
          const others = Object.entries(tags).filter(([each]) => each !== key);
          return Object.fromEntries(action === 'set' ? [...others, [key, (value ?? '').trim()]] : others);
        }),
      );
      return done(uuid, { changed: result, updated_at: document['updated_at'], warnings }, 'tags');
    },
  );
  server.tool(
    'remove_all_tags',
    {
      title: 'Remove all tags',
      description: 'Removes every tag of a vCon.',
      input: toolArguments(whichVcon),
      output,
      visibleTo: isForWriters(accessFor),
      annotations: { destructiveHint: true, idempotentHint: true },
    },
    async (args, { caller }) => {
      const access = accessFor(caller);
      const uuid = await access.permitted(uuidIn(args));
      const { document, result, warnings } = await access.writable.change(uuid, (before) =>
        retagged(before, () => ({})),
      );
      return done(uuid, { changed: result, updated_at: document['updated_at'], warnings }, 'tags');
    },
  );
}

function addTagReading(server: LiveServer, accessFor: AccessFor): void {
  server.tool(
    'get_tags',
    {
      title: 'Get the tags of a vCon',
      input: toolArguments(whichVcon),
      output: z.object({ uuid: z.string(), tags }),
      annotations: { readOnlyHint: true },
    },
    async (args, { caller }) => {
      const access = accessFor(caller);
      const uuid = await access.permitted(uuidIn(args));
      const value = { uuid, tags: tagsOf(await access.reader().array(uuid, 'attachments')) };
      const less = `It has more tags than fit: read ${vconUri(uuid, 'tags')}.`;
      return answer(value, { budget: access.budget, less, links: [{ uri: vconUri(uuid, 'tags'), name: 'tags' }] });
    },
  );
  server.tool(
    'get_unique_tags',
    {
      title: 'Which tags there are',
      description: 'Every key that vCons are tagged with, its most frequent values, and how many vCons have each.',
      input: toolArguments({
        key: z.string().optional().describe('Only the values of this key.'),
        key_filter: z.string().optional().describe('Only keys that contain this text, ignoring case.'),
        min_count: z.int().min(1).optional().describe('Only values that at least so many vCons have.'),
        include_counts: z.boolean().optional().describe('Counts are always in the answer.'),
        limit: z.int().min(1).max(1000).optional().describe('How many values of each key. Default: 20.'),
      }),
      output: z.object({
        count: z.number(),
        tags: z.array(
          z.object({
            key: z.string(),
            distinct_values: z.number(),
            values: z.array(z.object({ value: z.string(), count: z.number() })),
          }),
        ),
      }),
      annotations: { readOnlyHint: true },
    },
    async ({ key, key_filter = '', min_count = 1, limit = 20 }, { caller }) => {
      const access = accessFor(caller);
      await access.permittedAll();
      const found = (await access.searcher().tagCounts({ key, valuesPerKey: limit }))
        .filter((each) => each.key.toLowerCase().includes(key_filter.toLowerCase()))
        .map(({ key, distinct_values, values }) => {
          return { key, distinct_values, values: values.filter(({ count }) => count >= min_count) };
        })
        .filter(({ values }) => values.length > 0);
      const less = 'Give one key, or a smaller limit.';
      return answer({ count: found.length, tags: found }, { budget: access.budget, less });
    },
  );
}

/** Returns the document itself if nothing changes. */
function retagged(
  document: JsonObject,
  change: (tags: Record<string, string>) => Record<string, string>,
): { document: JsonObject; result: boolean } {
  const list: readonly Json[] = isList(document['attachments']) ? document['attachments'] : [];
  const [before, after] = [tagsOf(list), change(tagsOf(list))];
  const isSame = (a: typeof before, b: typeof before) => Object.entries(a).every(([key, value]) => b[key] === value);
  if (isSame(before, after) && isSame(after, before)) return { document, result: false };
  return { document: { ...document, attachments: withTags(list, () => after) }, result: true };
}

/** Tags are written as key:value; spaces around both are removed. */
function keyOf(text: string): string {
  const key = text.trim();
  if (key === '' || key.includes(':'))
    throw invalidParams('The key of a tag is a name without a colon, such as "department".');
  return key;
}
