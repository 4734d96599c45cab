// Prompts for common questions about conversations. Each names the tools and resources to use.
import type { Completer, LiveServer } from '@tidings/live';
import { z } from 'zod';
import type { AccessFor } from './tools/access.ts';

const howToAnswer =
  'Read only what you need: get_vcon with response_format "summary", or a part such as ' +
  'vcon://v1/vcons/{uuid}/transcript or vcon://v1/vcons/{uuid}/summary. Name the UUID and date of every conversation ' +
  'that you speak of, say so if nothing was found, and invent nothing.';

export function addPrompts(server: LiveServer, accessFor: AccessFor): void {
  const { keys, values } = tagCompleters(accessFor);
  server.prompt(
    'find_by_tags',
    {
      title: 'Find conversations by tag',
      description: 'Which conversations have a tag, and what they are about.',
      args: z.object({
        key: z.string().describe('Such as department.'),
        value: z.string().optional().describe('Such as support. Default: any value.'),
      }),
      complete: { key: keys, value: values },
    },
    ({ key, value }) =>
      value === undefined
        ? `Which conversations are tagged with ${quoted(key)}? Call get_unique_tags with key ${quoted(key)} to see its ` +
          `values, then search_by_tags for each that matters. Group what you find by value. ${howToAnswer}`
        : `Which conversations have the tag ${quoted(key)} with the value ${quoted(value)}? Call search_by_tags with ` +
          `tags ${JSON.stringify({ [key]: value })}, and with next_cursor as long as has_more is true. If there are ` +
          `none, call get_unique_tags and tell which tags come close. ${howToAnswer}`,
  );
  server.prompt(
    'find_by_keywords',
    {
      title: 'Find conversations by words',
      description: 'Where certain words were said or written.',
      args: z.object({
        keywords: z.string().describe('Words that must all occur.'),
        start_date: z.string().optional().describe('Such as 2025-10-01.'),
      }),
    },
    ({ keywords, start_date }) =>
      `Where do the words ${quoted(keywords)} occur? Call search_vcons_content with that query` +
      `${start_date === undefined ? '' : ` and start_date ${quoted(start_date)}`}. If there is nothing, try fewer words ` +
      `or other forms of them. ` +
      `Quote the snippets that matter and say where they stand. ${howToAnswer}`,
  );
  server.prompt(
    'find_by_meaning',
    {
      title: 'Find conversations by meaning',
      description: 'Which conversations are about a subject, however it is worded.',
      args: z.object({ about: z.string().describe('What they should be about, in a sentence.') }),
    },
    ({ about }) =>
      `Which conversations are about this: ${quoted(about)}? Call search_vcons_semantic with that query. If it is not ` +
      `available, say so and call search_vcons_content with a few words for it, once for each way of putting it. ` +
      `A near meaning is not yet a match: read the summary of each before you name it. ${howToAnswer}`,
  );
  server.prompt(
    'recent_by_topic',
    {
      title: 'Recent conversations on a topic',
      description: 'What was said lately about a topic.',
      args: z.object({
        topic: z.string(),
        days: z.string().regex(/^\d+$/, 'a number of days').optional().describe('How far back. Default: 30.'),
      }),
    },
    ({ topic, days = '30' }) =>
      `What was said about ${quoted(topic)} in the last ${days} days? Look at vcon://v1/vcons/recent/ids/100 for what ` +
      `is recent, and call search_vcons_content with words for the topic, and search_vcons with subject ` +
      `${quoted(topic)} and the right start_date. Leave out what is older. Tell what comes up again and again, and ` +
      `what changed over time. ${howToAnswer}`,
  );
  server.prompt(
    'customer_history',
    {
      title: "A customer's history",
      description: 'All conversations with a customer, in the order in which they were held.',
      args: z.object({ customer: z.string().describe('A name, telephone number or e-mail address.') }),
    },
    ({ customer }) =>
      `Tell the history of the customer ${quoted(customer)}. Call search_vcons with party ${quoted(customer)}, order ` +
      `"asc" and limit 100, and with next_cursor as long as has_more is true. Several people may share a name: look at ` +
      `the parties, and keep them apart. For each conversation give date, subject and outcome, then what is still open. ` +
      howToAnswer,
  );
}

/** More than an answer can hold, so that the client learns that there are more. */
const suggestions = 101;

function tagCompleters(accessFor: AccessFor): { keys: Completer; values: Completer } {
  return {
    keys: async (prefix, _, caller) => {
      const found = await tagCountsFor(accessFor, caller, { valuesPerKey: 1 });
      return found.map(({ key }) => key).filter((key) => key.startsWith(prefix));
    },
    values: async (prefix, { key }, caller) => {
      if (key === undefined) return [];
      const [found] = await tagCountsFor(accessFor, caller, { key, prefix, valuesPerKey: suggestions });
      return (found?.values ?? []).map(({ value }) => value).filter((value) => value.startsWith(prefix));
    },
  };
}

async function tagCountsFor(
  accessFor: AccessFor,
  caller: Parameters<AccessFor>[0],
  options: { key?: string; prefix?: string; valuesPerKey: number },
) {
  const access = accessFor(caller);
  await access.permittedAll();
  return access.searcher().tagCounts(options);
}

/** As one JSON string, whatever characters it contains. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
