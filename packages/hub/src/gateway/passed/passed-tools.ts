// The tools of a server, passed on.
import { isInputRequiredResult } from '@modelcontextprotocol/client';
import { type Caller, type LiveServer, type Log, LiveError, toolResult } from '@tidings/live';
import { PassedResult, type PlainContext, addPassedTool } from '@tidings/live/internal';
import { isObject } from '@tidings/live/portable';
import type { Upstream } from '@tidings/track';
import { asSent } from '@tidings/track/internal';
import type { PermissionsOf } from '../../access/permissions.ts';
import { isChosen } from '../../access/chosen-tools.ts';
import { FollowedList } from './followed-list.ts';
import { namedContent } from './named-content.ts';
import { passThrough } from './pass-through.ts';
import { type ReadResources, readerOf } from '../mention/read-resources.ts';
import type { Relay } from '../relay/relay.ts';
import { takesTasks } from '../relay/relayed-request.ts';
import type { Views } from '../view.ts';
import { withChanges } from '../mention/with-changes.ts';

export interface PassedOn {
  server: LiveServer;
  upstream: Upstream;
  views: Views;
  permissionsOf: PermissionsOf;
  /** The names of this server's tools or prompts on the gateway. */
  namesOf(this: void, names: Iterable<string>): ReadonlyMap<string, string>;
  /** The URI of this server's resource on the gateway; undefined if the caller may not read it. */
  uriOf(this: void, uri: string, caller: Caller): string | undefined;
  relay: Relay;
  readResources: ReadResources;
  mentionsChanges(this: void, caller: Caller): boolean;
  /** Whether questions to a user name the server that asks. */
  namesAsker: boolean;
  log: Log;
}

export function passTools(passedOn: PassedOn): FollowedList<'tools'> {
  const { server, upstream, views, permissionsOf, namesOf, uriOf, relay, namesAsker, log } = passedOn;
  const { readResources, mentionsChanges } = passedOn;
  const changesFor = (context: PlainContext) => {
    const { caller } = context;
    if (!mentionsChanges(caller)) return undefined;
    const permissions = permissionsOf(caller);
    return readResources.lineFor(readerOf(caller, context), ({ serverId, uri }) => permissions.opens(serverId, uri));
  };
  return new FollowedList({
    upstream,
    list: 'tools',
    namesOf,
    isChosen: (name) => isChosen(upstream.entry, name),
    log,
    define: (
      { name, inputSchema, outputSchema, title, description, annotations, icons, execution, _meta, ...others },
      here,
    ) => {
      // Passed to the SDK, which would otherwise read the whole list of tools when a server rejects a header.
      const toolDefinition = { name, inputSchema };
      const isReadOnly = annotations?.readOnlyHint === true;
      const isRepeatable = isReadOnly || annotations?.idempotentHint === true;
      const isThere = (caller: Caller) => permissionsOf(caller).mayCall(upstream.id, name, isReadOnly);
      const options = {
        input: passThrough(inputSchema),
        ...(title !== undefined && { title }),
        ...(description !== undefined && { description }),
        ...(annotations && { annotations }),
        ...(icons && { icons }),
        ...(execution && { execution }),
        ...(_meta && { _meta }),
        ...(outputSchema && { output: passThrough(outputSchema) }),
        visibleTo: isThere,
        others,
        // The SDK compares arguments that are also in headers.
        isPlain: !JSON.stringify(inputSchema).includes('x-mcp-header'),
      };
      const call = async (args: unknown, context: PlainContext) => {
        if (!isThere(context.caller)) throw notForYou();
        const view = views.of(upstream, context.caller);
        const result = await relay.tools.request({
          upstream,
          view,
          context,
          name,
          isRepeatable,
          namesAsker,
          send: (client, params, options, keepTask) =>
            relay.tasks.call({
              server: upstream,
              tool: { name, execution },
              args: asObject(args) ?? {},
              caller: context.caller,
              notify: context.client.notify,
              client,
              params,
              options,
              takesTasks: takesTasks(context),
              task: context.task,
              keepTask,
              send: async (added) => {
                const given = asObject(args);
                const params = { name, ...(given && { arguments: given }), ...added };
                return asSent(await client.callTool(params, { ...options, toolDefinition }));
              },
            }),
        });
        if (isInputRequiredResult(result)) return result;
        const named = (uri: string) => uriOf(uri, context.caller);
        const content = result.content.flatMap((block) => namedContent(block, named) ?? []);
        if (result['resultType'] === 'task' || 'task' in result) return toolResult({ ...result, content });
        const answer = withChanges({ ...result, content }, changesFor(context), outputSchema !== undefined);
        // In the 2025 era structured content is an object: the SDK wraps any other value of a modern server in one.
        const isOther = context.caller.era === 'legacy' && !isObject(result.structuredContent ?? {});
        return isOther && upstream.status().era === 'modern' ? toolResult(answer) : new PassedResult(answer);
      };
      return addPassedTool(server, here, options, call);
    },
  });
}

/** Undefined if the call has no arguments. */
function asObject(args: unknown): Record<string, unknown> | undefined {
  return isObject(args) ? { ...args } : undefined;
}

function notForYou(): LiveError {
  return new LiveError('PERMISSION_DENIED', 'Your credentials do not allow using this tool.');
}
