// Whether a request may change something, judged by its method and the annotations of its tool.
import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import type { ServerDefinition } from './server-definition.ts';

const reading =
  /^(?:resources\/(?:read|list|templates\/list)|tools\/list|prompts\/(?:list|get)|completion\/complete|tasks\/(?:get|result))$/;

export function mayChange({ tools }: Pick<ServerDefinition, 'tools'>, { method, params }: JSONRPCRequest): boolean {
  if (method !== 'tools/call') return !reading.test(method);
  const name = params?.['name'];
  const tool = typeof name === 'string' ? tools.get(name) : undefined;
  return tool?.options.annotations?.readOnlyHint !== true;
}
