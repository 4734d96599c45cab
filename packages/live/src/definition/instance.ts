// An SDK server that answers for a definition on one connection (or, in the modern era, one request).
import { McpServer, type RequestId, Server, type ServerOptions } from '@modelcontextprotocol/server';
import { LiveError } from '../error.ts';
import { complete, completerOf } from '../resource/complete.ts';
import type { ContextOf } from '../resource/call-context.ts';
import type { Caller } from '../resource/caller.ts';
import { contextsOf } from './calling-client.ts';
import type { Definition } from './definition.ts';
import { type Observe, observeRequests } from './observe.ts';
import { type Outcome, listResources } from './outcome.ts';
import { type PromptDefinition, registerPrompt } from './prompt.ts';
import { RpcErrors } from './rpc-error.ts';
import { type ToolDefinition, registerTool } from './tool.ts';
import { answering } from './wire-error.ts';

export interface ClientConnection {
  caller(): Caller;
  /** Only where the protocol has separate subscribe and unsubscribe requests. */
  subscriptions?: { subscribe(uri: string): Promise<void>; unsubscribe(uri: string): void };
  /** Told of every request once it was answered. */
  observe?: Observe | undefined;
  /** When the request came, where that was before the instance was made for it. */
  startedAt?: number | undefined;
  /** What a request came to, where that is known already and only to be put into words. */
  outcomeOf?: ((id: RequestId) => Outcome | undefined) | undefined;
}

/** Everything: resources, tools and prompts, following what comes and goes until it is closed. */
export function createInstance(definition: Definition, connection: ClientConnection): McpServer {
  const { info, log, tools, prompts } = definition;
  const mcp = new McpServer(info, optionsOf(definition, connection));
  const caller = () => connection.caller();
  const contextOf = contextsOf(mcp, caller);
  const errors = new RpcErrors();
  const { capabilities } = definition;
  let [hasTool, hasPrompt] = [false, false];
  const isVisible = ({ options }: ToolDefinition | PromptDefinition) => options.visibleTo?.(caller()) ?? true;
  const nothingToRemove = () => undefined;
  // What is not advertised now cannot be added to this connection later.
  const unfollow = [
    capabilities.tools &&
      tools.follow((name, tool) => {
        if (!isVisible(tool)) return nothingToRemove;
        hasTool = true;
        return registerTool(mcp, name, tool, contextOf, errors, log);
      }),
    capabilities.prompts &&
      prompts.follow((name, prompt) => {
        if (!isVisible(prompt)) return nothingToRemove;
        hasPrompt = true;
        return registerPrompt(mcp, name, prompt, contextOf, log);
      }),
  ];
  if (capabilities.tools && !hasTool) serveNoTools(mcp);
  if (capabilities.prompts && !hasPrompt) serveNoPrompts(mcp);
  mcp.server.onclose = () => unfollow.forEach((each) => each?.());
  serveResources(mcp.server, definition, connection, contextOf);
  watchRequests(mcp, definition, connection);
  errors.answerOn(mcp);
  return mcp;
}

/** The SDK answers for tools from the first one on, which may come when it is too late to begin. */
function serveNoTools(mcp: McpServer): void {
  mcp.registerTool('none', {}, () => ({ content: [] })).remove();
}

function serveNoPrompts(mcp: McpServer): void {
  mcp.registerPrompt('none', {}, () => ({ messages: [] })).remove();
}

/** Resources alone, at half the cost: registering tools is most of what a per-request server does. */
export function createResourceInstance(definition: Definition, connection: ClientConnection): Server {
  const server = new Server(definition.info, optionsOf(definition, connection));
  serveResources(
    server,
    definition,
    connection,
    contextsOf(server, () => connection.caller()),
  );
  watchRequests(server, definition, connection);
  return server;
}

function watchRequests(server: Server | McpServer, { clock }: Definition, connection: ClientConnection): void {
  const { observe, startedAt } = connection;
  if (observe) observeRequests(server, { observe, clock, caller: () => connection.caller(), startedAt });
}

function optionsOf(definition: Definition, connection: ClientConnection): ServerOptions {
  const { capabilities, requestState } = definition;
  const given = definition.instructions;
  const instructions = typeof given === 'function' ? given(connection.caller()) : given;
  return {
    capabilities,
    ...(instructions !== undefined && { instructions }),
    ...(requestState !== undefined && { requestState }),
  };
}

function serveResources(
  server: Server,
  definition: Definition,
  connection: ClientConnection,
  contextOf: ContextOf,
): void {
  const { directory, capabilities, log } = definition;
  if (capabilities.completions) serveCompletions(server, definition, connection);
  if (!capabilities.resources) return;

  server.setRequestHandler('resources/list', ({ params }, { mcpReq: { id, signal } }) =>
    answering(log, {}, () => {
      const known = connection.outcomeOf?.(id);
      if (known?.method === 'resources/list') return known.result;
      return listResources(definition, connection.caller(), params?.cursor, signal);
    }),
  );
  server.setRequestHandler('resources/templates/list', ({ params }) =>
    answering(log, {}, async () => {
      const { items, ...page } = await directory.templates(connection.caller(), params?.cursor);
      return { resourceTemplates: items, ...page };
    }),
  );
  server.setRequestHandler('resources/read', ({ params: { uri } }, context) =>
    answering(log, { uri }, () => {
      const known = connection.outcomeOf?.(context.mcpReq.id);
      if (known?.method === 'resources/read') return known.result;
      return directory.read(connection.caller(), uri, contextOf(context));
    }),
  );

  const { subscriptions } = connection;
  if (!subscriptions) return;
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }) =>
    answering(log, { uri }, async () => {
      await subscriptions.subscribe(uri);
      return {};
    }),
  );
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) =>
    answering(log, { uri }, () => {
      subscriptions.unsubscribe(uri);
      return {};
    }),
  );
}

function serveCompletions(server: Server, { directory, prompts, log }: Definition, connection: ClientConnection): void {
  server.setRequestHandler('completion/complete', ({ params: { ref, argument, context } }) =>
    answering(log, ref.type === 'ref/prompt' ? { prompt: ref.name } : {}, () => {
      const caller = connection.caller();
      const chosen = context?.arguments ?? {};
      if (ref.type === 'ref/resource') {
        const completion = directory.completion(ref.uri, argument.name, chosen, caller);
        return complete(completion, argument.value, chosen, caller);
      }
      const prompt = prompts.get(ref.name);
      if (prompt === undefined || prompt.options.visibleTo?.(caller) === false)
        throw new LiveError('INVALID_PARAMS', `This server has no prompt "${ref.name}".`);
      const completer = completerOf(prompt.options.complete, argument.name);
      return complete({ completer, permits: () => true }, argument.value, chosen, caller);
    }),
  );
}
