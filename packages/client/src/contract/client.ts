// One MCP client of the hub, in `GET /api/clients`.
import * as z from 'zod/mini';

const readResource = z.object({
  serverId: z.string(),
  /** The URI that the client requested. */
  uri: z.string(),
  /** How often it changed since it was read. */
  changes: z.number(),
  /** How many of these changes were mentioned to the client in a tool result. */
  mentioned: z.number(),
});

export const clientStatus = z.object({
  /** Stable as long as the client is known. */
  id: z.string(),
  /** The name of the client; empty if it sends none. */
  name: z.string(),
  version: z.string(),
  era: z.enum(['modern', 'legacy']),
  /** The name of its token. */
  who: z.string(),
  address: z.optional(z.string()),
  /** The paths of the hub that it uses: `/mcp`, or `/mcp/{server}`. */
  endpoints: z.array(z.string()),
  /** Whether it has an open stream for notifications. */
  connected: z.boolean(),
  /** ISO 8601: when it was first seen, and last. */
  since: z.string(),
  lastSeen: z.string(),
  streams: z.number(),
  requests: z.number(),
  failures: z.number(),
  /** The last request, with what it was about. */
  lastRequest: z.optional(z.string()),
  /** The number of notifications on its open streams. */
  told: z.number(),
  /** How many resources it watches, and the first of them. */
  watching: z.number(),
  watches: z.array(z.string()),
  /** What it has read, the most recent first. */
  read: z.array(readResource),
});
export type ClientStatus = z.infer<typeof clientStatus>;

export const clientsAnswer = z.object({
  clients: z.array(clientStatus),
  /** Readers of the event stream, such as the dashboard; null if the caller may not know. */
  eventStreams: z.nullable(z.number()),
});
export type ClientsAnswer = z.infer<typeof clientsAnswer>;
