// What a program needs that asks one server a few questions and leaves: a session, and its lists within bounds.
export { ConnectFailure } from './connection/connect-failure.ts';
export type { ConnectOptions, ServerSession } from './connection/connect-server.ts';
export { connectServer } from './connection/connect-server.ts';
export type { Listing, ListOptions } from './subscription/list-all.ts';
export { listAll } from './subscription/list-all.ts';
export type { ListKind, ListedItems } from './subscription/listed-item.ts';
