// Defines a tool whose calls wait. Plain calls are answered without the SDK (serve/direct/waiting-calls.ts); all others go
// through the SDK, which needs an async function.
import type { CallToolResult, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { onAbort } from '../time/on-abort.ts';
import type { CallContext } from '../resource/call-context.ts';
import type { ServerDefinition } from './server-definition.ts';
import type { Registration } from './registry/registration.ts';
import { type ToolHandler, type ToolOptions, assertTool, toolResult } from './tool/tool.ts';
import type { BeginCall } from './tool/waiting-call.ts';

export function addWaitingTool<Input extends StandardSchemaWithJSON, Output extends StandardSchemaWithJSON>(
  { definition }: { definition: ServerDefinition },
  name: string,
  options: ToolOptions<Input, Output>,
  begin: BeginCall<StandardSchemaWithJSON.InferOutput<Input>>,
): Registration;
export function addWaitingTool(
  { definition }: { definition: ServerDefinition },
  name: string,
  options: ToolOptions<StandardSchemaWithJSON, StandardSchemaWithJSON>,
  begin: BeginCall<unknown>,
): Registration {
  const handler: ToolHandler = async (args, context) => toolResult(await waited(begin, args, context));
  assertTool(name, { options, handler });
  return definition.tools.add(name, { options, handler, begin });
}

function waited(begin: BeginCall<unknown>, args: unknown, { caller, mcpReq }: CallContext): Promise<CallToolResult> {
  const { _meta, signal, notify } = mcpReq;
  const progressToken = _meta?.progressToken;
  return new Promise((answer, fail) => {
    const waiting = begin(args, {
      caller,
      answer,
      fail,
      progress: (progress) => {
        if (progressToken === undefined) return;
        // Fails if the caller has disconnected.
        notify({ method: 'notifications/progress', params: { ...progress, progressToken } }).catch(() => undefined);
      },
    });
    onAbort(signal, (reason) => {
      waiting.stop();
      fail(reason);
    });
  });
}
