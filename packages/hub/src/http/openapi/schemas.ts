// The queries of the API, and what consent is given to. Other bodies and the responses are in `@tidings/client/contract`.
import { definitionKind, eventType, requestedPattern } from '@tidings/client/contract';
import { z } from 'zod';

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
    uri: z.optional(requestedPattern),
    /** Part of a URI, in any case. */
    q: z.string().optional(),
    type: z.optional(eventType),
    /** The first time that is included, and the first that is not. */
    from: z.iso.datetime({ offset: true }).optional(),
    until: z.iso.datetime({ offset: true }).optional(),
    after: z.string().optional(),
    /** This many of the newest, instead of those after a cursor. */
    last: z.coerce.number().int().min(1).max(1000).optional(),
    limit,
  })
  .refine(({ after, last }) => after === undefined || last === undefined, 'after and last exclude each other');

export const versionsQuery = z.object({
  uri: z.string('names no resource: add ?uri='),
  server: z.string().optional(),
  version: z.coerce.number().int().min(1).optional(),
});

/** For a single definition, the difference is not cut. */
export const definitionsQuery = z.object({ kind: z.optional(definitionKind), name: z.string().optional() });
/** The hash identifies the definition that was shown. */
export const trustSchema = z.strictObject({
  definitions: z
    .array(z.strictObject({ kind: definitionKind, name: z.string(), hash: z.string() }))
    .min(1, 'names none: give those that GET /api/servers/{id}/definitions shows')
    .max(100, 'names more than 100: agree to them in parts'),
});
