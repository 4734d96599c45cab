// The small answers of the hub's own routes.
import * as z from 'zod/mini';

/** The body of every error response. */
export const errorAnswer = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

const sampleCounts = z.object({ conversations: z.number(), schedules: z.number() });
export type SampleCounts = z.infer<typeof sampleCounts>;
/** `GET /api/demo`: the sample data that can be loaded, whether it was, and whether a demo keeps changing it. */
export const samplesOffered = z.object({ offers: sampleCounts, loaded: z.boolean(), changing: z.boolean() });
/** `POST /api/demo`. */
export const samplesLoaded = z.object({ loaded: sampleCounts });

/** `GET /api/whoami`. */
export const whoAmI = z.object({
  /** The name of the request's token. */
  subject: z.string(),
  /** Whether the token is unlimited. */
  whole: z.boolean(),
  /** Until when this browser is logged in; null if it need not be. */
  loggedInUntil: z.nullable(z.string()),
});
export type WhoAmI = z.infer<typeof whoAmI>;
