// Suggestions of servers for the last variable of their templates (`completion/complete`), as whole URIs.
import * as z from 'zod/mini';
import { completedTemplate } from './completed-template.ts';
import type { Template } from './definitions.ts';
import { mcpRequest } from './mcp-request.ts';

const mostTemplates = 5;
const suggestions = z.object({ completion: z.object({ values: z.array(z.string()) }) });

export async function suggestedUris(
  uri: string,
  known: readonly { serverId: string; templates: readonly Template[] }[],
): Promise<string[]> {
  const begun = known.flatMap(({ serverId, templates }) =>
    templates.flatMap(({ uriTemplate }) => {
      const completed = completedTemplate(uriTemplate, uri);
      return completed === undefined ? [] : [{ serverId, uriTemplate, ...completed }];
    }),
  );
  const found = await Promise.all(
    begun.slice(0, mostTemplates).map(async ({ serverId, uriTemplate, variable, value, before }) => {
      try {
        const { completion } = await mcpRequest({
          serverId,
          method: 'completion/complete',
          params: { ref: { type: 'ref/resource', uri: uriTemplate }, argument: { name: variable, value } },
          schema: suggestions,
        });
        return completion.values.map((each) => before + encodeURIComponent(each));
      } catch {
        // Most servers suggest nothing.
        return [];
      }
    }),
  );
  return found.flat();
}
