// The kit for servers that are a `fetch` function: Deno, Bun, edge runtimes. Imports nothing of Node.
export {
  acceptedContent,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server';
export type { Clock, Timer } from './time/clock.ts';
export type { ErrorCode } from './base/error.ts';
export { LimitExceeded, LiveError, errorCodes, notFound } from './base/error.ts';
export type { Change, ChangeFeed, ChangeReader } from './feed/change.ts';
export { MemoryFeed } from './feed/memory-feed.ts';
export type { LiveServerOptions } from './live-server-options.ts';
export type { RouteHandle } from './live-server.ts';
export { LiveServer, liveServer } from './live-server.ts';
export type { Log } from './base/log.ts';
export type { Caller, Credential } from './resource/caller.ts';
export type { CacheRule, ContentOptions } from './resource/content.ts';
export { content, contents } from './resource/content.ts';
export type { ListRequest, Listed, Listing, ReadRequest, ResourceDetails, RouteOptions } from './resource/route.ts';
export type { EndpointOptions } from './serve/endpoint-options.ts';
export type { WebEndpoint } from './serve/web-endpoint.ts';
export { webEndpoint } from './serve/web-endpoint.ts';
export { SubjectQuotas } from './quota/subject-quotas.ts';
export type { CallContext, CallingClient, ClientLog } from './resource/call-context.ts';
export type { ToolOptions } from './definition/tool/tool.ts';
export type { PromptOptions } from './definition/prompt.ts';
export { toolResult } from './definition/tool/tool.ts';
