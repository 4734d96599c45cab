// Calls a tool, or gets a prompt, by its name; suggests similar names where there is none.
import type { CallToolResult, GetPromptResult, Progress } from '@modelcontextprotocol/client';
import { longestDelayMs } from '@tidings/live/time';
import type { ListKind, ListedItems, ServerSession } from '@tidings/track/session';
import { Failure } from '../terminal/failure.ts';
import { closest } from './closest.ts';
import { type GivenArguments, givenPromptArguments, givenToolArguments } from './given-arguments.ts';
import { listOf } from './list.ts';

/** The user ends a call that takes too long with Ctrl-C. */
const timeout = longestDelayMs;

interface CallOptions extends GivenArguments {
  name: string;
  onprogress?: (progress: Progress) => void;
}

export async function callTool(
  session: ServerSession,
  { name, onprogress, ...given }: CallOptions,
): Promise<CallToolResult> {
  const { inputSchema } = await found(session, 'tools', name);
  const options = { timeout, ...(onprogress && { onprogress }) };
  return session.client.callTool({ name, arguments: givenToolArguments(given, inputSchema) }, options);
}

/** Whether the tool failed with INTERNAL, whose message does not contain the reason. */
export function isInternal({ isError, _meta }: CallToolResult): boolean {
  return isError === true && _meta?.['tidings/code'] === 'INTERNAL';
}

export async function getPrompt(session: ServerSession, { name, ...given }: CallOptions): Promise<GetPromptResult> {
  const prompt = await found(session, 'prompts', name);
  const known = prompt.arguments ?? [];
  return session.client.getPrompt({ name, arguments: givenPromptArguments(given, known) }, { timeout });
}

async function found<Kind extends Extract<ListKind, 'tools' | 'prompts'>>(
  session: ServerSession,
  kind: Kind,
  name: string,
): Promise<ListedItems[Kind]> {
  const { items } = await listOf(session, kind);
  const item = items.find((each) => each.name === name);
  if (item !== undefined) return item;
  const names = items.map((each) => each.name);
  const similar = closest(name, names);
  const what = kind === 'tools' ? 'tool' : 'prompt';
  if (similar.length > 0) throw new Failure(`There is no ${what} "${name}". Did you mean ${similar.join(', ')}?`);
  if (names.length === 0) throw new Failure(`There is no ${what} "${name}": the server has no ${kind}.`);
  throw new Failure(`There is no ${what} "${name}". "tidings list --${kind}" shows all.`);
}
