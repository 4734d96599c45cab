// What the packages of this project share, and others should not rely on: it may change in any version.
export { AsyncScope } from './async-scope.ts';
export { editDistance } from './edit-distance.ts';
export { decodeCursor, encodeCursor } from './opaque-cursor.ts';
export { pageEnd, pageEndSchema, placeAfter } from './resource/page-end.ts';
export { sseEvent } from './sse/sse-event.ts';
export type { StreamOwner } from './sse/event-stream.ts';
export { SseStream } from './sse/sse-stream.ts';
export { SseStreams } from './sse/sse-streams.ts';
export { parsedUrl } from './resource/parsed-url.ts';
export { requestTarget } from './serve/request-target.ts';
export type { ListName } from './feed/change.ts';
export type { Completion } from './resource/complete.ts';
export type { Page, Resolved, ResourceDirectory } from './resource/resource-directory.ts';
export { encodeSegment } from './resource/uri.ts';
export { isDeeperThan, maxMessageLevels } from './session/nesting.ts';
export type { Counted } from './quota/subject-quotas.ts';
export type { Guard, GuardOptions } from './serve/guard.ts';
export { createGuard } from './serve/guard.ts';
