// What the hub answers, parsed once where it comes in.
import * as z from 'zod/mini';

// The page's policy forbids code made from text, which zod would otherwise try.
z.config({ jitless: true });

export const serverSchema = z.object({
  id: z.string(),
  description: z.optional(z.string()),
  state: z.enum(['live', 'connecting', 'backoff', 'unsupported', 'disabled', 'stopped']),
  detail: z.string(),
  since: z.string(),
  retryAt: z.optional(z.string()),
  era: z.optional(z.enum(['modern', 'legacy'])),
  transport: z.string(),
  pid: z.optional(z.number()),
  tracked: z.boolean(),
  pinned: z.boolean(),
  held: z.number(),
  resources: z.number(),
  wanted: z.number(),
  subscribed: z.number(),
  polled: z.number(),
  failures: z.number(),
});
export type Server = z.infer<typeof serverSchema>;
export const serversSchema = z.object({ servers: z.array(serverSchema) });

const resourceSchema = z.object({
  serverId: z.string(),
  uri: z.string(),
  address: z.string(),
  name: z.string(),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  mimeType: z.optional(z.string()),
});
export type Resource = z.infer<typeof resourceSchema>;
export const resourcesSchema = z.object({
  resources: z.array(resourceSchema),
  total: z.number(),
  next_cursor: z.nullable(z.string()),
});

const timestamp = z.string();
const serverId = z.string();
export const eventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('handshake'), cursor: z.string(), timestamp }),
  z.object({ type: z.literal('resource_update'), serverId, resourceUri: z.string(), timestamp }),
  z.object({
    type: z.literal('list_changed'),
    serverId,
    added: z.array(z.string()),
    removed: z.array(z.string()),
    timestamp,
  }),
  z.object({ type: z.literal('server_state'), serverId, state: z.string(), detail: z.optional(z.string()), timestamp }),
  z.object({
    type: z.literal('resource_error'),
    serverId,
    resourceUri: z.optional(z.string()),
    reason: z.string(),
    error: z.string(),
    timestamp,
  }),
  z.object({
    type: z.literal('definition_changed'),
    serverId,
    kind: z.string(),
    name: z.string(),
    held: z.boolean(),
    changes: z.array(z.string()),
    timestamp,
  }),
  z.object({ type: z.literal('gap'), serverId: z.optional(serverId), timestamp }),
]);
const heldSchema = z.object({
  kind: z.string(),
  name: z.string(),
  changes: z.array(z.string()),
  hash: z.string(),
  diff: z.string(),
  cut: z.number(),
});
export type Held = z.infer<typeof heldSchema>;
export const definitionsSchema = z.object({ total: z.number(), held: z.array(heldSchema) });
export type Definitions = z.infer<typeof definitionsSchema>;

export type StreamEvent = z.infer<typeof eventSchema>;
export type HubEvent = Exclude<StreamEvent, { type: 'handshake' }>;
export const eventsSchema = z.object({
  events: z.array(z.intersection(z.object({ cursor: z.string() }), eventSchema)),
  cursor: z.string(),
});

export const sessionSchema = z.object({
  id: z.string(),
  kind: z.string(),
  state: z.string(),
  detail: z.string(),
  when: z.string(),
  announce: z.string(),
  perMinute: z.optional(z.number()),
  servers: z.optional(z.array(z.string())),
  uris: z.optional(z.array(z.string())),
  messages: z.number(),
  pending: z.number(),
});
export type Session = z.infer<typeof sessionSchema>;
export const sessionsSchema = z.object({ sessions: z.array(sessionSchema) });

export const transcriptEntrySchema = z.object({
  id: z.number(),
  timestamp,
  kind: z.enum(['message', 'content', 'state']),
  text: z.string(),
});
export type TranscriptEntry = z.infer<typeof transcriptEntrySchema>;
export const transcriptSchema = z.object({ entries: z.array(transcriptEntrySchema) });

const samplesSchema = z.object({ conversations: z.number(), schedules: z.number() });
export type Samples = z.infer<typeof samplesSchema>;
export const offersSchema = z.object({ offers: samplesSchema });
export const loadedSchema = z.object({ loaded: samplesSchema });

export const whoAmISchema = z.object({ loggedInUntil: z.nullable(z.string()) });

export const errorSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
