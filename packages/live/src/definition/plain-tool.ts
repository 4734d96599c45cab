// Defines a tool whose handler gets by with a plain context. Calls of it that are plain are answered without the SDK
// (serve/direct-answers.ts); all others go through the SDK.
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { Definition } from './definition.ts';
import type { Registration } from './registration.ts';
import { type PlainHandler, type ToolOptions, assertTool } from './tool.ts';

/** `input` must declare no `x-mcp-header`, which the SDK compares with the headers of a request. */
export function addPlainTool(
  { definition }: { definition: Definition },
  name: string,
  options: ToolOptions<StandardSchemaWithJSON, StandardSchemaWithJSON>,
  handler: PlainHandler,
): Registration {
  assertTool(name, { options, handler });
  return definition.tools.add(name, { options, handler, plainHandler: handler });
}
