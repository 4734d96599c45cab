// Tools and prompts of another server that a gateway passes on. Calls that are plain are answered without the SDK
// (serve/direct/direct-calls.ts); all others go through it.
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { ServerDefinition } from './server-definition.ts';
import { type PromptDefinition, type PromptHandler, type PromptOptions, assertPrompt } from './prompt.ts';
import type { Registration } from './registry/registration.ts';
import { type PlainHandler, type ToolDefinition, type ToolOptions, assertTool } from './tool/tool.ts';

interface PassedToolOptions extends ToolOptions<StandardSchemaWithJSON, StandardSchemaWithJSON> {
  /** Members of the server's listing that a tool of the kit does not have. */
  readonly others?: Readonly<Record<string, unknown>>;
  /**
   * Whether plain calls may bypass the SDK. False with `x-mcp-header`, which the SDK compares with the HTTP headers.
   */
  readonly isPlain: boolean;
}

export function addPassedTool(
  { definition }: { definition: ServerDefinition },
  name: string,
  { others = {}, isPlain, ...options }: PassedToolOptions,
  handler: PlainHandler,
): Registration {
  const tool: ToolDefinition = { options, handler, passed: others, ...(isPlain && { plainHandler: handler }) };
  assertTool(name, tool);
  return definition.tools.add(name, tool);
}

interface PassedPromptOptions extends PromptOptions<StandardSchemaWithJSON> {
  /** Members of the server's listing that a prompt of the kit does not have. */
  readonly others?: Readonly<Record<string, unknown>>;
}

export function addPassedPrompt(
  { definition }: { definition: ServerDefinition },
  name: string,
  { others = {}, ...options }: PassedPromptOptions,
  handler: PromptHandler,
): Registration {
  const prompt: PromptDefinition = { options, handler, passed: others };
  assertPrompt(name, prompt);
  return definition.prompts.add(name, prompt);
}
