// The tools, prompts and templates of a server, and the messages of a prompt.
import * as z from 'zod/mini';
import { longestCallMs } from '@tidings/client/contract';
import { type CallInProgress, mcpRequest } from './mcp-request.ts';

const tool = z.looseObject({
  name: z.string(),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  inputSchema: z.optional(z.unknown()),
});
const promptArgument = z.looseObject({
  name: z.string(),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  required: z.optional(z.boolean()),
});
const prompt = z.looseObject({
  name: z.string(),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  arguments: z.optional(z.array(promptArgument)),
});
const template = z.looseObject({
  uriTemplate: z.string(),
  name: z.string(),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
});
export type Tool = z.infer<typeof tool>;
export type Prompt = z.infer<typeof prompt>;
export type Template = z.infer<typeof template>;

export interface Definitions {
  tools: readonly Tool[];
  prompts: readonly Prompt[];
  templates: readonly Template[];
}

const promptResult = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.looseObject({ type: z.string() }) })),
});
type PromptResult = z.infer<typeof promptResult>;

const mostPages = 50;

export async function readDefinitions(serverId: string): Promise<Definitions> {
  const [tools, prompts, templates] = await Promise.all([
    all(serverId, 'tools/list', 'tools', tool),
    all(serverId, 'prompts/list', 'prompts', prompt),
    all(serverId, 'resources/templates/list', 'resourceTemplates', template),
  ]);
  return { tools, prompts, templates };
}

export function readPrompt(
  serverId: string,
  name: string,
  args: Record<string, string>,
  call: CallInProgress,
): Promise<PromptResult> {
  return mcpRequest({
    serverId,
    method: 'prompts/get',
    name,
    params: { name, arguments: args },
    schema: promptResult,
    withinMs: longestCallMs,
    call,
  });
}

async function all<Item extends z.ZodMiniType>(
  serverId: string,
  method: string,
  member: string,
  item: Item,
): Promise<z.output<Item>[]> {
  const schema = z.looseObject({ [member]: z.array(item), nextCursor: z.optional(z.string()) });
  const found: z.output<Item>[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const page = await mcpRequest({ serverId, method, schema, params: cursor === undefined ? {} : { cursor } });
    const items = page[member];
    if (Array.isArray(items)) found.push(...items);
    cursor = typeof page['nextCursor'] === 'string' ? page['nextCursor'] : undefined;
    if (cursor === undefined) break;
  }
  return found;
}
