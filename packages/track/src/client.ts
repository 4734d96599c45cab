// What pages and agents use to follow a hub. Needs no Node.
export type { RealtimeSessionLike } from './client/realtime-session.ts';
export { tellRealtimeSession } from './client/realtime-session.ts';
export type { UpdatesOptions } from './client/updates.ts';
export { updates } from './client/updates.ts';
