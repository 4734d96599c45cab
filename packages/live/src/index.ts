export {
  acceptedContent,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server';
export type { Clock, Timer } from './time/clock.ts';
export { systemClock } from './time/clock.ts';
export type { ErrorCode } from './base/error.ts';
export { LimitExceeded, LiveError, errorCodes, notFound } from './base/error.ts';
export type { Bus } from './feed/bus.ts';
export type { Want } from './feed/change.ts';
export type { Change, ChangeFeed, ChangeReader } from './feed/change.ts';
export { listTopics } from './feed/change.ts';
export { MemoryFeed } from './feed/memory-feed.ts';
export type { LiveServerOptions } from './live-server-options.ts';
export type { RouteHandle } from './live-server.ts';
export { LiveServer, liveServer } from './live-server.ts';
export type { Log } from './base/log.ts';
export { stderrLog } from './base/log.ts';
export type { CallContext, CallingClient, ClientLog } from './resource/call-context.ts';
export type { Caller, Credential } from './resource/caller.ts';
export type { Completer } from './resource/complete.ts';
export type { CacheRule, ContentOptions } from './resource/content.ts';
export { content, contents } from './resource/content.ts';
export type { Authorize } from './resource/directory.ts';
export type { ListRequest, Listed, Listing, ReadRequest, ResourceDetails, RouteOptions } from './resource/route.ts';
export type { Params } from './resource/template-params.ts';
export type { HttpOptions, RunningServer } from './serve/http.ts';
export { httpEndpoint, serveHttp } from './serve/http.ts';
export type { EndpointOptions } from './serve/endpoint-options.ts';
export type { NodeEndpoint, NodeEndpointOptions } from './serve/node-endpoint.ts';
export type { WebEndpoint } from './serve/web-endpoint.ts';
export { webEndpoint } from './serve/web-endpoint.ts';
export { serveMemory } from './serve/memory.ts';
export type { StdioConnection, StdioOptions } from './serve/stdio.ts';
export { serveStdio } from './serve/stdio.ts';
export type { Limits } from './definition/server-definition.ts';
export type { ExtensionRequest, ExtensionRequests, OtherRequests } from './definition/extension-request.ts';
export type {
  HonoredPart,
  ListenExtension,
  ListenExtensions,
  ListenPush,
  ListeningClient,
} from './definition/listen-extension.ts';
export type { Observe, ObservedRequest } from './definition/observe.ts';
export type { HeldKind, Hold, Quotas } from './quota/quotas.ts';
export type { SubjectLimits, SubjectQuotasOptions } from './quota/subject-quotas.ts';
export { SubjectQuotas } from './quota/subject-quotas.ts';
export type { Registration } from './definition/registry/registration.ts';
export { RpcError } from './definition/answer/rpc-error.ts';
export type { PromptOptions } from './definition/prompt.ts';
export type { ToolOptions } from './definition/tool/tool.ts';
export { ToolResult, toolResult } from './definition/tool/tool.ts';
