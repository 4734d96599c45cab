// For programs that send a few requests to one server: a session, and its lists within bounds.
export { ConnectFailure } from './connection/error/connect-failure.ts';
export type { ConnectOptions, ServerSession } from './connect-server.ts';
export type { LoginChange, LoginStore } from './login/login-store.ts';
export type { StoredLogin } from './login/stored-login.ts';
export { connectServer } from './connect-server.ts';
export type { ListResult, ListOptions } from './subscription/catalog/list-all.ts';
export { listAll } from './subscription/catalog/list-all.ts';
export type { ListKind, ListedItems } from './subscription/catalog/listed-item.ts';
