// The limits of a caller, as entries of `tokens` and grants of issuers have them.
import { z } from 'zod';

/** Names of tools or prompts. */
export const namePatternsSchema = z
  .array(z.string().min(1, 'must be a name, or a pattern such as "notes_*"'))
  .optional();

/** Each field limits what is granted. */
export const accessTermsSchema = {
  /** Patterns of the resources it may access. Default: all. */
  allow: z.array(z.string()).optional(),
  /** Ids of the servers it may use. Default: all. */
  servers: z.array(z.string()).optional(),
  /**
   * Patterns of the tools and prompts it may use, named as on `/mcp`. Default: all, or none if the token has any limit.
   */
  tools: namePatternsSchema,
  prompts: namePatternsSchema,
  redact: z.string().optional(),
};

const amount = z
  .number()
  .refine((value) => Number.isSafeInteger(value) && value > 0, 'must be a whole number above 0')
  .optional();

/** How much one principal may use of the hub. */
export const limits = z.strictObject({
  sessions: amount,
  streams: amount,
  watchedUris: amount,
  watchedCharacters: amount,
  agentSessions: amount,
  requestsInFlight: amount,
  unreadBytes: amount,
  requestsPerSecond: amount,
});
