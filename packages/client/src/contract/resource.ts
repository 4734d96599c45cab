// A listed resource, in `GET /api/resources`.
import * as z from 'zod/mini';

export const listedResource = z.object({
  serverId: z.string(),
  uri: z.string(),
  /** The `tidings://` address, which is unique where several servers have the URI. */
  address: z.string(),
  name: z.string(),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  mimeType: z.optional(z.string()),
  size: z.optional(z.number()),
  /** When its content was last read. */
  readAt: z.optional(z.string()),
});
export type ListedResource = z.infer<typeof listedResource>;

export const resourcesAnswer = z.object({
  resources: z.array(listedResource),
  total: z.number(),
  next_cursor: z.nullable(z.string()),
});
