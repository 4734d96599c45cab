// The outcome of a read or a list of resources, awaited by the SDK's handler or by a direct answer
// (serve/direct/direct-answers.ts).
import type { ListResourcesResult, ReadResourceResult } from '@modelcontextprotocol/server';
import type { Caller } from '../resource/caller.ts';
import type { ServerDefinition } from './server-definition.ts';

export type RequestOutcome =
  | { readonly method: 'resources/read'; readonly result: Promise<ReadResourceResult> }
  | { readonly method: 'resources/list'; readonly result: Promise<ListResourcesResult> };

export async function listResources(
  { directory }: ServerDefinition,
  caller: Caller,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<ListResourcesResult> {
  const { items, ...page } = await directory.list(caller, cursor, signal);
  return { resources: items, ...page };
}

export function failedOutcome(method: RequestOutcome['method'], error: unknown): RequestOutcome {
  const result = Promise.reject(error);
  // The SDK may be closed before it awaits the result: then a rejection has no other handler.
  result.catch(() => undefined);
  return method === 'resources/read' ? { method, result } : { method, result };
}
