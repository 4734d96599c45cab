// The status of one server, in `GET /api/servers`.
import * as z from 'zod/mini';

export const serverState = z.enum(['live', 'connecting', 'backoff', 'unsupported', 'disabled', 'stopped']);
export type ServerState = z.infer<typeof serverState>;

export const serverStatus = z.object({
  id: z.string(),
  description: z.optional(z.string()),
  state: serverState,
  /** Why, in words; empty where there is nothing to say. */
  detail: z.string(),
  /** ISO 8601. */
  since: z.string(),
  /** When it is tried again, in the state `backoff`. */
  retryAt: z.optional(z.string()),
  era: z.optional(z.enum(['modern', 'legacy'])),
  /** When the era was last negotiated. */
  eraSeen: z.optional(z.string()),
  transport: z.enum(['stdio', 'http', 'memory']),
  pid: z.optional(z.number()),
  enabled: z.boolean(),
  tracked: z.boolean(),
  /** Changed or new definitions wait for consent. */
  pinned: z.boolean(),
  /** How many definitions wait. */
  held: z.number(),
  /** Listed by the server. */
  resources: z.number(),
  /** Wanted by the tracker or by a client that watches. */
  wanted: z.number(),
  /** Of those, subscribed to. */
  subscribed: z.number(),
  /** Of those, polled. */
  polled: z.number(),
  /** Followed, with a hash of the content: what a change can be told by after a gap. */
  hashed: z.number(),
  /** Failures in a row. */
  failures: z.number(),
  /** How often it was connected to, or tried to be. */
  connects: z.number(),
});
export type ServerStatus = z.infer<typeof serverStatus>;

export const serversAnswer = z.object({ servers: z.array(serverStatus) });
