// For pages, agents and programs that follow a hub. Needs no Node.
export type { StreamEvent, TrackerEvent } from './contract/event.ts';
export type { FollowOptions } from './follow/follow.ts';
export type { RealtimeSessionLike, RealtimeTellingOptions } from './follow/realtime-session.ts';
export { tellRealtimeSession } from './follow/realtime-session.ts';
export type { TellingOptions } from './follow/telling.ts';
export type { UpdateLine, Updates, UpdatesOptions } from './follow/updates.ts';
export { updates } from './follow/updates.ts';
export { eventFrames } from './stream/event-frames.ts';
export type { EventStreamClientOptions } from './stream/event-stream-client.ts';
export { EventStreamClient } from './stream/event-stream-client.ts';
export type { FollowedStreamOptions, StreamState } from './stream/followed-stream.ts';
export { FollowedStream } from './stream/followed-stream.ts';
