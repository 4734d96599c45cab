// The status of one server, in `GET /api/servers`.
import * as z from 'zod/mini';

export const serverState = z.enum([
  'live',
  'connecting',
  'backoff',
  'needs_login',
  'unsupported',
  'disabled',
  'stopped',
]);
export type ServerState = z.infer<typeof serverState>;

export const serverStatus = z.object({
  id: z.string(),
  description: z.optional(z.string()),
  state: serverState,
  /** The reason of the state, as text; may be empty. */
  detail: z.string(),
  /** Of a connected server: `waiting` for a program that may never run here, or `troubled`, as `detail` says. */
  condition: z.optional(z.enum(['waiting', 'troubled'])),
  /** ISO 8601. */
  since: z.string(),
  /** When it is tried again, in the state `backoff`. */
  retryAt: z.optional(z.string()),
  era: z.optional(z.enum(['modern', 'legacy'])),
  /** When the era was last negotiated. */
  eraSeen: z.optional(z.string()),
  transport: z.enum(['stdio', 'http', 'memory']),
  /** The command or the URL, without secrets. */
  address: z.optional(z.string()),
  /** The server's own name and version. */
  info: z.optional(z.object({ name: z.string(), title: z.optional(z.string()), version: z.string() })),
  pid: z.optional(z.number()),
  /** In a cluster, the node that is connected to the server. */
  node: z.optional(z.string()),
  enabled: z.boolean(),
  tracked: z.boolean(),
  /** Changed or new definitions wait for consent. */
  pinned: z.boolean(),
  /** How many definitions wait. */
  held: z.number(),
  /** The number of resources that the server lists. */
  resources: z.number(),
  /** The number of resources that the tracker or a watching client wants. */
  wanted: z.number(),
  /** How many of those are subscribed to. */
  subscribed: z.number(),
  /** How many of those are polled. */
  polled: z.number(),
  /** How many of those have a hash of their content, with which a change after a gap is found. */
  hashed: z.number(),
  /** Failures in a row. */
  failures: z.number(),
  /** How many attempts to connect were made. */
  connects: z.number(),
});
export type ServerStatus = z.infer<typeof serverStatus>;

/** `POST /api/servers/{id}/ping`: how many milliseconds the server took to answer. */
export const pingAnswer = z.object({ ms: z.number() });

/** `GET /api/servers/{id}/log`: the last lines on stderr of a server that the hub starts. */
export const serverLog = z.object({
  lines: z.array(z.object({ time: z.string(), pid: z.optional(z.number()), text: z.string() })),
});

export const serversAnswer = z.object({
  servers: z.array(serverStatus),
  /** The configuration file that the hub edits; null if it has none. Not for limited callers. */
  configFile: z.optional(z.nullable(z.string())),
});
export type ServersAnswer = z.infer<typeof serversAnswer>;
