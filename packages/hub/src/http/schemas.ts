// What the API takes and gives. Tests read every answer through these.
import { z } from 'zod';

export const serverSchema = z.strictObject({
  id: z.string(),
  description: z.string().optional(),
  state: z.enum(['live', 'connecting', 'backoff', 'unsupported', 'disabled', 'stopped']),
  detail: z.string(),
  since: z.string(),
  retryAt: z.string().optional(),
  era: z.enum(['modern', 'legacy']).optional(),
  eraSeen: z.string().optional(),
  transport: z.enum(['stdio', 'http', 'memory']),
  pid: z.number().optional(),
  enabled: z.boolean(),
  tracked: z.boolean(),
  pinned: z.boolean(),
  held: z.number(),
  resources: z.number(),
  wanted: z.number(),
  subscribed: z.number(),
  polled: z.number(),
  hashed: z.number(),
  failures: z.number(),
  connects: z.number(),
});
export const serversSchema = z.object({ servers: z.array(serverSchema) });

export const trackingSchema = z.strictObject({ tracked: z.boolean() });

const resourceSchema = z.strictObject({
  serverId: z.string(),
  uri: z.string(),
  /** Where it is reached whoever else has the URI. */
  address: z.string(),
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  mimeType: z.string().optional(),
  size: z.number().optional(),
  /** When what is known of it was read. */
  readAt: z.string().optional(),
});
export const resourcesSchema = z.object({
  resources: z.array(resourceSchema),
  total: z.number(),
  next_cursor: z.string().nullable(),
});

export const eventsSchema = z.object({
  events: z.array(z.looseObject({ cursor: z.string(), type: z.string(), timestamp: z.string() })),
  cursor: z.string(),
  has_more: z.boolean(),
  has_gap: z.boolean(),
});

const limit = z.coerce.number().int().min(1).max(1000).default(100);
export const resourcesQuery = z.object({
  server: z.string().optional(),
  q: z.string().optional(),
  after: z.string().optional(),
  limit,
});
export const eventsQuery = z
  .object({
    server: z.string().optional(),
    uri: z.string().optional(),
    after: z.string().optional(),
    /** The newest so many, instead of those after a cursor. */
    last: z.coerce.number().int().min(1).max(1000).optional(),
    limit,
  })
  .refine(({ after, last }) => after === undefined || last === undefined, 'after and last exclude each other');

const definitionKind = z.enum(['tool', 'prompt', 'instructions']);
/** Of one definition, the difference comes whole. */
export const definitionsQuery = z.object({ kind: definitionKind.optional(), name: z.string().optional() });
/** What was looked at: the hash is that of the definition that was shown. */
export const trustSchema = z.strictObject({
  definitions: z
    .array(z.strictObject({ kind: definitionKind, name: z.string(), hash: z.string() }))
    .min(1, 'names none: give those that GET /api/servers/{id}/definitions shows')
    .max(100, 'names more than 100: agree to them in parts'),
});
export const definitionsSchema = z.strictObject({
  pinned: z.boolean(),
  /** How many are held back, of which `held` has the first 100. */
  total: z.number(),
  held: z.array(
    z.strictObject({
      kind: definitionKind,
      name: z.string(),
      changes: z.array(z.string()),
      hash: z.string(),
      diff: z.string(),
      cut: z.number(),
    }),
  ),
});
