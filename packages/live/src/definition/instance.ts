// An SDK server that answers for a definition on one connection (or, in the modern era, one request).
import {
  McpServer,
  type RequestId,
  Server,
  type ServerCapabilities,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import { LiveError } from '../base/error.ts';
import { complete, completerOf } from '../resource/complete.ts';
import type { ContextOf } from '../resource/call-context.ts';
import type { Caller } from '../resource/caller.ts';
import { contextsOf } from './client/calling-client.ts';
import type { ServerDefinition } from './server-definition.ts';
import { serveExtensions, serveOthers } from './extension-request.ts';
import { withNamedQuestions } from './client/named-questions.ts';
import { type Observe, observeRequests } from './observe.ts';
import { type RequestOutcome, listResources } from './request-outcome.ts';
import { type PromptDefinition, listedPrompt, registerPrompt } from './prompt.ts';
import { AnswersInPlace } from './answer/answers-in-place.ts';
import type { Registry } from './registry/registry.ts';
import { type ToolDefinition, registerTool } from './tool/tool.ts';
import { isVisibleTo } from './registry/visible-to.ts';
import { answering, asRpcError } from './answer/wire-error.ts';

interface ClientConnection {
  caller(): Caller;
  /** Only for the 2025 era, which has subscribe and unsubscribe requests. */
  subscriptions?: { subscribe(uri: string): Promise<void>; unsubscribe(uri: string): void };
  /** The method, for an instance that answers one request. */
  method?: string | undefined;
  /** The tool or prompt that this one request names. */
  only?: string | undefined;
  /** Called for every request after it was answered. */
  observe?: Observe | undefined;
  /** When the request arrived, if that was before the instance was created. */
  startedAt?: number | undefined;
  /** The outcome of a request, if it is already known and the SDK only has to encode it. */
  outcomeOf?: ((id: RequestId) => RequestOutcome | undefined) | undefined;
}

/** A full instance: resources, tools and prompts. Additions and removals take effect until it is closed. */
export function createInstance(definition: ServerDefinition, connection: ClientConnection): McpServer {
  const { info, log, tools, prompts, listMeta, absence } = definition;
  const mcp = new McpServer(info, optionsOf(definition, connection));
  const caller = () => connection.caller();
  const lists = {
    'tools/call': { list: 'tools', known: tools },
    'prompts/get': { list: 'prompts', known: prompts },
  } as const;
  const inPlace = new AnswersInPlace({
    listMeta: () => listMeta?.('tools', caller()),
    refusal: (method, name) => {
      const { list, known } = lists[method];
      const error = known.get(name) === undefined ? absence?.(list, name, caller()) : undefined;
      return error && asRpcError(error);
    },
  });
  inPlace.renameOn(mcp);
  const contextOf = contextsOf(mcp, caller, definition.clientLogs);
  const capabilities = capabilitiesFor(definition, connection);
  const { only } = connection;
  let [hasTool, hasPrompt] = [false, false];
  const isVisible = (defined: ToolDefinition | PromptDefinition) => isVisibleTo(caller(), defined);
  const nothingToRemove = () => undefined;
  const addTool = (name: string, tool: ToolDefinition) => {
    if (!isVisible(tool)) return nothingToRemove;
    hasTool = true;
    return registerTool(mcp, name, tool, contextOf, inPlace, log);
  };
  const addPrompt = (name: string, prompt: PromptDefinition) => {
    if (!isVisible(prompt)) return nothingToRemove;
    hasPrompt = true;
    return registerPrompt(mcp, name, prompt, contextOf, inPlace, log);
  };
  // Capabilities cannot be added to a connection later: follow only the lists that are advertised now.
  const unfollow = [
    capabilities.tools && given(tools, only, addTool),
    capabilities.prompts && given(prompts, only, addPrompt),
  ];
  if (capabilities.tools && !hasTool) serveNoTools(mcp);
  if (capabilities.prompts && !hasPrompt) serveNoPrompts(mcp);
  if (capabilities.prompts) {
    // Replaces the SDK's list, which drops the titles of arguments.
    mcp.server.setRequestHandler('prompts/list', () => {
      const _meta = listMeta?.('prompts', caller());
      const listed = [...prompts.entries()].flatMap(([name, prompt]) =>
        isVisible(prompt) ? listedPrompt(name, prompt) : [],
      );
      return { prompts: listed, ...(_meta && { _meta }) };
    });
  }
  const { onclose } = mcp.server;
  mcp.server.onclose = () => {
    onclose?.();
    unfollow.forEach((each) => each?.());
  };
  if (only === undefined) serveResources(mcp.server, definition, connection, contextOf);
  watchRequests(mcp, definition, connection);
  inPlace.answerOn(mcp);
  return mcp;
}

/** An instance with one tool, which is visible to the caller. */
export function createToolInstance(
  definition: ServerDefinition,
  connection: ClientConnection,
  { name, tool }: { readonly name: string; readonly tool: ToolDefinition },
): McpServer {
  const { info, log, clientLogs } = definition;
  const mcp = new McpServer(info, { ...optionsOf(definition, connection), capabilities: { tools: {} } });
  const inPlace = new AnswersInPlace();
  inPlace.renameOn(mcp);
  registerTool(
    mcp,
    name,
    tool,
    contextsOf(mcp, () => connection.caller(), clientLogs),
    inPlace,
    log,
  );
  watchRequests(mcp, definition, connection);
  inPlace.answerOn(mcp);
  return mcp;
}

/**
 * An instance for one tool or prompt is kept as long as its call, perhaps for hours, so it gets only the capabilities
 * it needs.
 */
function capabilitiesFor(definition: ServerDefinition, connection: ClientConnection): ServerCapabilities {
  const { method, only } = connection;
  const capabilities = definition.capabilitiesFor(connection.caller());
  if (only === undefined) return capabilities;
  const { resources: _resources, completions: _completions, tools, prompts, ...others } = capabilities;
  return { ...others, ...(method === 'tools/call' ? tools && { tools } : prompts && { prompts }) };
}

/**
 * Adds the one named `only`, or all and those that are defined later. Registering all is most of an instance's cost.
 */
function given<D>(registry: Registry<D>, only: string | undefined, add: (name: string, item: D) => () => void) {
  if (only === undefined) return registry.follow(add);
  const item = registry.get(only);
  if (item !== undefined) add(only, item);
  return undefined;
}

/** The SDK installs its handlers for tools with the first tool, which may be defined too late for this connection. */
function serveNoTools(mcp: McpServer): void {
  mcp.registerTool('none', {}, () => ({ content: [] })).remove();
}

function serveNoPrompts(mcp: McpServer): void {
  mcp.registerPrompt('none', {}, () => ({ messages: [] })).remove();
}

/** An instance for resources only. It costs half as much: registering tools is most of the cost of a full one. */
export function createResourceInstance(definition: ServerDefinition, connection: ClientConnection): Server {
  const server = new Server(definition.info, optionsOf(definition, connection));
  serveResources(
    server,
    definition,
    connection,
    contextsOf(server, () => connection.caller(), definition.clientLogs),
  );
  watchRequests(server, definition, connection);
  return server;
}

function watchRequests(server: Server | McpServer, { clock }: ServerDefinition, connection: ClientConnection): void {
  const { observe, startedAt } = connection;
  if (observe) observeRequests(server, { observe, clock, caller: () => connection.caller(), startedAt });
}

function optionsOf(definition: ServerDefinition, connection: ClientConnection): ServerOptions {
  const { requestState } = definition;
  return {
    capabilities: capabilitiesFor(definition, connection),
    ...instructionsFor(definition, connection),
    ...(requestState !== undefined && { requestState }),
  };
}

/** Only `initialize` and `server/discover` return the instructions, and a gateway's may be long. */
function instructionsFor({ instructions: given }: ServerDefinition, connection: ClientConnection) {
  const { method } = connection;
  if (method !== undefined && method !== 'server/discover') return {};
  const instructions = typeof given === 'function' ? given(connection.caller()) : given;
  return instructions === undefined ? {} : { instructions };
}

function serveResources(
  server: Server,
  definition: ServerDefinition,
  connection: ClientConnection,
  contextOf: ContextOf,
): void {
  const { directory, capabilities, log, requests, otherRequests } = definition;
  serveExtensions(server, requests, contextOf, log);
  if (otherRequests) {
    const find = (method: string) => otherRequests(method, connection.caller());
    serveOthers(server, find, connection.method, contextOf, log);
  }
  if (capabilities.completions) serveCompletions(server, definition, connection, contextOf);

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
    answering(log, { uri }, async () => {
      const known = connection.outcomeOf?.(context.mcpReq.id);
      if (known?.method === 'resources/read') return known.result;
      const caller = connection.caller();
      return withNamedQuestions(await directory.read(caller, uri, contextOf(context)), caller);
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

function serveCompletions(
  server: Server,
  { directory, prompts, log }: ServerDefinition,
  connection: ClientConnection,
  contextOf: ContextOf,
): void {
  server.setRequestHandler('completion/complete', ({ params: { ref, argument, context } }, request) => {
    const handler = `complete.${argument.name}`;
    const about = ref.type === 'ref/prompt' ? { prompt: ref.name, handler } : { route: ref.uri, handler };
    return answering(log, about, () => {
      const caller = connection.caller();
      const chosen = context?.arguments ?? {};
      if (ref.type === 'ref/resource') {
        const completion = directory.completion(ref.uri, argument.name, chosen, caller);
        return complete(completion, argument.value, chosen, caller, contextOf(request));
      }
      const prompt = prompts.get(ref.name);
      if (prompt === undefined || !isVisibleTo(caller, prompt))
        throw new LiveError('INVALID_PARAMS', `This server has no prompt "${ref.name}".`);
      const completer = completerOf(prompt.options.complete, argument.name);
      return complete({ completer, permits: () => true }, argument.value, chosen, caller, contextOf(request));
    });
  });
}
