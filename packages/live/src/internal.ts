// Exports for the packages of this project only: they may change in any version.
export { AsyncScope } from './base/async-scope.ts';
export { bySimilarity } from './base/by-similarity.ts';
export { suggestion } from './base/check-options.ts';
export type { Check } from './base/check-options.ts';
export {
  aCount,
  aFunction,
  aList,
  aString,
  aText,
  checkOptions,
  checkValue,
  having,
  texts,
} from './base/check-options.ts';
export { boundedFetch } from './base/bounded-fetch.ts';
export { NoAnswer, boundedRequest } from './base/bounded-request.ts';
export { digestOf, isSameSecret, secretDigest } from './base/digest.ts';
export { FileDraft, replaceWhole } from './base/file-draft.ts';
export { issueInWords } from './base/issue-in-words.ts';
export { linkTarget } from './base/link-target.ts';
export { bearerTokenOf, isHeaderToken } from './base/header-token.ts';
export { isLoopback, urlHost } from './base/host-name.ts';
export { networkCause } from './base/network-cause.ts';
export { decodeCursor, encodeCursor } from './base/opaque-cursor.ts';
export { readUpTo } from './base/read-up-to.ts';
export { retryAfterMs } from './time/retry-after.ts';
export { pageEnd, pageEndSchema, indexAfter } from './resource/page-end.ts';
export { sseEvent, sseRetry } from './sse/sse-event.ts';
export type { StreamOwner } from './sse/event-stream.ts';
export { SendProgress, waitingBytes } from './sse/send-progress.ts';
export { SseStream } from './sse/sse-stream.ts';
export { SseStreams } from './sse/sse-streams.ts';
export { whenClosed } from './sse/when-closed.ts';
export { questionMetaKey } from './definition/client/named-questions.ts';
export type { WaitingCall } from './definition/tool/waiting-call.ts';
export { noArguments, toolArguments } from './definition/tool/tool-arguments.ts';
export { PassedResult } from './definition/answer/passed-result.ts';
export { addPassedPrompt, addPassedTool } from './definition/passed-definitions.ts';
export { addWaitingTool } from './definition/waiting-tool.ts';
export type { PlainContext } from './resource/call-context.ts';
export { requestTarget } from './serve/exchange/request-target.ts';
export type { ListName } from './feed/change.ts';
export type { Completion } from './resource/complete.ts';
export type {
  Page,
  Resolved,
  PlainReadRequest,
  ResourceDirectory,
  SubscribingClient,
  Watch,
} from './resource/resource-directory.ts';
export { encodeSegment } from './resource/uri.ts';
export { hasOnly, isFields } from './session/fields.ts';
export type { OpenConnection } from './session/open-connection.ts';
export { isDeeperThan, maxMessageLevels } from './session/nesting.ts';
export type { Counted } from './quota/subject-quotas.ts';
export { createGuard, createHostGuard, ownHostNames } from './serve/admission/guard.ts';
export { HttpListener, type HttpLimits } from './serve/http-listener.ts';
export { atExpiry } from './session/expiry.ts';
export type { WebhookKey } from './base/standard-webhook.ts';
export { webhookHeaders, webhookKey, webhookKeyOfAnyLength } from './base/standard-webhook.ts';
export { SuggestedResult } from './resource/complete.ts';
