// A call of a tool that is answered without the SDK: which calls that are, and the context that their tool is given.
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { Definition } from '../definition/definition.ts';
import { isVisibleTo } from '../definition/visible-to.ts';
import type { PlainContext } from '../resource/call-context.ts';
import type { Caller } from '../resource/caller.ts';
import type { ModernCall } from '../session/modern/plain-request.ts';

export interface DirectCall {
  /** Calls the tool. */
  run(this: void, signal: AbortSignal): Promise<unknown>;
  /** What the structured content must be, where the tool promises some. */
  readonly output: StandardSchemaWithJSON | undefined;
}

/** Undefined if the SDK is to answer: progress needs its context, and it refuses invalid calls. */
export function directCall({ tools }: Definition, caller: Caller, request: ModernCall): DirectCall | undefined {
  const tool = request.progressToken === undefined ? tools.get(request.name) : undefined;
  if (tool?.plainHandler === undefined || !isVisibleTo(caller, tool)) return undefined;
  const { input, output } = tool.options;
  const args = input?.['~standard'].validate(request.args);
  if (args === undefined || args instanceof Promise || args.issues !== undefined) return undefined;
  const { plainHandler } = tool;
  return {
    run: (signal) => plainHandler(args.value, plainContext(caller, request, signal)),
    output,
  };
}

function plainContext(caller: Caller, { client, capabilities, meta }: ModernCall, signal: AbortSignal): PlainContext {
  return {
    caller,
    client: { info: client, capabilities, logLevel: undefined, notify: undefined },
    // The request asks for neither log messages nor progress, and continues no other.
    log: () => undefined,
    mcpReq: { _meta: meta, signal, notify: () => Promise.resolve(), requestState: () => undefined },
  };
}
