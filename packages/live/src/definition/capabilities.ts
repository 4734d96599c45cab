// The capabilities that follow from what a server defines.
import type { ServerCapabilities } from '@modelcontextprotocol/server';
import type { ResourceDirectory } from '../resource/resource-directory.ts';
import type { PromptDefinition } from './prompt.ts';
import type { Registry } from './registry/registry.ts';
import type { ToolDefinition } from './tool/tool.ts';

/**
 * Only what can be delivered is advertised. Resources are always advertised: a client that connects before the first
 * route is defined is notified of it, and must be able to list it.
 */
export function capabilitiesOf(
  directory: ResourceDirectory,
  tools: Registry<ToolDefinition>,
  prompts: Registry<PromptDefinition>,
  more: ServerCapabilities,
): ServerCapabilities {
  const { resources = { subscribe: true, listChanged: true }, ...others } = more;
  const completes = directory.completes || [...prompts.values()].some(({ options }) => options.complete !== undefined);
  return {
    resources,
    ...(tools.size > 0 && { tools: { listChanged: true } }),
    ...(prompts.size > 0 && { prompts: { listChanged: true } }),
    ...(completes && { completions: {} }),
    ...others,
  };
}
