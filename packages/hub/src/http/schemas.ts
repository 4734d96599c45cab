// The requests of the API. Its responses are in `@tidings/client/contract`.
import { definitionKind, eventType, requestedPattern } from '@tidings/client/contract';
import { z } from 'zod';

export const serverPatchSchema = z
  .strictObject({ tracked: z.boolean().optional(), enabled: z.boolean().optional() })
  .refine((patch) => Object.keys(patch).length > 0, 'must have tracked or enabled');

/** An address, and nothing that starts a program or is secret: those belong into the configuration file. */
const noVariable = 'must have no ${NAME}: write that into the configuration file';

/** A name would be looked up in the environment, and its value sent to the address, or shown. */
function namesNoVariable(text: string): boolean {
  return !text.includes('${');
}

export const addedServerSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must be 1 to 32 of a-z, 0-9 and "-", and not begin with "-"'),
  url: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })
    .refine((url) => {
      const { username, password } = new URL(url);
      return username === '' && password === '';
    }, 'must have no password: write it into the configuration file, as ${NAME}')
    .refine(namesNoVariable, noVariable),
  description: z.string().max(500).refine(namesNoVariable, noVariable).optional(),
  trackResources: z.boolean().default(true),
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
    uri: z.optional(requestedPattern),
    /** Part of a URI, in any case. */
    q: z.string().optional(),
    type: z.optional(eventType),
    /** Not before this time, and before that one. */
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
