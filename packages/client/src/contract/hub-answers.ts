// The small answers of the hub's own routes.
import * as z from 'zod/mini';

/** With every status but 2xx and 3xx. */
export const errorAnswer = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

const sampleCounts = z.object({ conversations: z.number(), schedules: z.number() });
export type SampleCounts = z.infer<typeof sampleCounts>;
/** `GET /api/demo`: the sample data that can be loaded. */
export const samplesOffered = z.object({ offers: sampleCounts });
/** `POST /api/demo`. */
export const samplesLoaded = z.object({ loaded: sampleCounts });

/** `GET /api/whoami`: until when this browser is logged in; null where it need not be. */
export const whoAmI = z.object({ loggedInUntil: z.nullable(z.string()) });
