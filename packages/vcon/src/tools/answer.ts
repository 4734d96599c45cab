// The results of tools: the same content as text and as structure, with links to the resources concerned.
import { LiveError, type ToolResult, toolResult } from '@tidings/live';
import { z } from 'zod';
import { base } from '../resources/conversation-base.ts';

export interface Link {
  uri: string;
  name: string;
}

/** The result of every change has at least these fields. */
export const changed = z.object({
  success: z.literal(true),
  uuid: z.string(),
  warnings: z.array(z.string()).describe('What is odd about the vCon as it is now. It was kept all the same.'),
  resource: z.string().describe('Where the vCon can be read, and watched.'),
});

export function vconUri(uuid: string, ...parts: (string | number)[]): string {
  return [base, uuid, ...parts].join('/');
}

/** `less` says how to request less, for the error if the answer is too large. */
export function answer(
  value: Record<string, unknown>,
  { budget, less, links = [] }: { budget: number; less: string; links?: readonly Link[] },
): ToolResult {
  const text = JSON.stringify(value);
  if (text.length > budget) throw answerTooLarge(less);
  const content = links.map((link) => ({ type: 'resource_link' as const, mimeType: 'application/json', ...link }));
  return toolResult({ content: [{ type: 'text', text }, ...content], structuredContent: value });
}

export function answerTooLarge(less: string): LiveError {
  return new LiveError('RESPONSE_TOO_LARGE', `The answer is too large. ${less}`);
}

/** A result that names the change, with links to the changed resources. */
export function done(
  uuid: string,
  details: { warnings?: readonly string[]; [field: string]: unknown },
  ...parts: (string | number)[]
): ToolResult {
  const resource = vconUri(uuid);
  const value = { success: true, uuid, warnings: [], ...details, resource };
  const links = [{ uri: resource, name: uuid }];
  if (parts.length > 0) links.push({ uri: vconUri(uuid, ...parts), name: parts.join('/') });
  return answer(value, { budget: Number.POSITIVE_INFINITY, less: '', links });
}
