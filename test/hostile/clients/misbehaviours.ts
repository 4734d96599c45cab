// The attacks of hostile clients, by name. An attack resolves at its peak; its open connections are closed afterwards.
import { longLists } from './misbehaviours/long-lists.ts';
import { manySubscriptions } from './misbehaviours/many-subscriptions.ts';
import { oddHttp } from './misbehaviours/odd-http.ts';
import { oddMcp } from './misbehaviours/odd-mcp.ts';
import { oddStreams } from './misbehaviours/odd-streams.ts';

export const groups = {
  'odd HTTP': oddHttp,
  'odd MCP': oddMcp,
  'long lists': longLists,
  'many subscriptions': manySubscriptions,
  'odd streams': oddStreams,
};
