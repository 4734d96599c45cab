// The tools of a server, passed on with progress and cancellation.
import type { Client, Progress, Tool } from '@modelcontextprotocol/client';
import {
  type CallContext,
  type Caller,
  type Clock,
  type LiveServer,
  type Log,
  LiveError,
  toolResult,
} from '@tidings/live';
import type { Upstream } from '@tidings/track';
import type { PermissionsOf } from '../access/permissions.ts';
import { answerable } from './answerable.ts';
import { FollowedList } from './followed-list.ts';
import { namedContent } from './named-content.ts';
import { passThrough } from './pass-through.ts';
import { ProgressRelay } from './progress-relay.ts';
import type { Views } from './view.ts';

export interface PassedOn {
  server: LiveServer;
  upstream: Upstream;
  views: Views;
  permissionsOf: PermissionsOf;
  /** The name of a tool of this server here. */
  nameOf(this: void, name: string): string;
  /** The URI of a resource of this server here; undefined where the caller may not read it. */
  uriOf(this: void, uri: string, caller: Caller): string | undefined;
  clock: Clock;
  log: Log;
}

/** Longer than clients wait by default; progress restarts it. */
const longestCallMs = 10 * 60_000;

export function passTools(passedOn: PassedOn): FollowedList<'tools'> {
  const { server, upstream, views, permissionsOf, nameOf, uriOf, clock, log } = passedOn;
  return new FollowedList({
    upstream,
    list: 'tools',
    log,
    define: ({ name, inputSchema, outputSchema, title, description, annotations, icons, _meta }) => {
      const tool = { name, inputSchema };
      const isReadOnly = annotations?.readOnlyHint === true;
      const isThere = (caller: Caller) => permissionsOf(caller).mayCall(upstream.id, name, isReadOnly);
      const options = {
        input: passThrough(inputSchema),
        ...(title !== undefined && { title }),
        ...(description !== undefined && { description }),
        ...(annotations && { annotations }),
        ...(icons && { icons }),
        ...(_meta && { _meta }),
        visibleTo: isThere,
      };
      const call = async (args: unknown, context: CallContext) => {
        if (!isThere(context.caller)) throw notForYou();
        const view = views.of(upstream, context.caller);
        const calling = view.use((client) => callTool(client, tool, args, context, clock));
        const result = await answerable(upstream, calling);
        const named = (uri: string) => uriOf(uri, context.caller);
        return toolResult({ ...result, content: result.content.flatMap((block) => namedContent(block, named) ?? []) });
      };
      return outputSchema
        ? server.tool(nameOf(name), { ...options, output: passThrough(outputSchema) }, call)
        : server.tool(nameOf(name), options, call);
    },
  });
}

/** Without the definition, the SDK would read the whole list of tools when a server rejects a header. */
async function callTool(
  client: Client,
  tool: Pick<Tool, 'name' | 'inputSchema'>,
  args: unknown,
  context: CallContext,
  clock: Clock,
) {
  const { signal, _meta, notify } = context.mcpReq;
  const token = _meta?.progressToken;
  const relay = new ProgressRelay(clock, (progress) => {
    // The caller may have disconnected.
    notify({ method: 'notifications/progress', params: { ...progress, progressToken: token } }).catch(() => undefined);
  });
  const options = {
    signal,
    toolDefinition: tool,
    timeout: longestCallMs,
    resetTimeoutOnProgress: true,
    ...(token !== undefined && { onprogress: (progress: Progress) => relay.push(progress) }),
  };
  try {
    return await client.callTool({ name: tool.name, arguments: asObject(args) }, options);
  } finally {
    relay.end();
  }
}

function asObject(args: unknown): Record<string, unknown> {
  return typeof args === 'object' && args !== null ? { ...args } : {};
}

function notForYou(): LiveError {
  return new LiveError('PERMISSION_DENIED', 'Your credentials do not allow using this tool.');
}
