// What pages and agents use to follow a hub. Needs no Node.
export type { FollowOptions } from './client/follow.ts';
export type { RealtimeSessionLike, RealtimeTellingOptions } from './client/realtime-session.ts';
export { tellRealtimeSession } from './client/realtime-session.ts';
export type { TellingOptions } from './client/telling.ts';
export type { Updates, UpdatesOptions } from './client/updates.ts';
export { updates } from './client/updates.ts';
