// Agent sessions and their transcripts, in `/api/sessions`.
import * as z from 'zod/mini';

export const sessionStatus = z.object({
  id: z.string(),
  kind: z.string(),
  state: z.enum(['attaching', 'attached', 'backoff', 'detached']),
  detail: z.string(),
  when: z.string(),
  announce: z.string(),
  perMinute: z.optional(z.number()),
  servers: z.optional(z.readonly(z.array(z.string()))),
  uris: z.optional(z.readonly(z.array(z.string()))),
  /** How many messages it was sent. */
  messages: z.number(),
  /** How many wait to be sent. */
  pending: z.number(),
  /** How many it refused. */
  refused: z.number(),
});
export type SessionStatus = z.infer<typeof sessionStatus>;

export const sessionsAnswer = z.object({ sessions: z.array(sessionStatus) });

export const transcriptEntry = z.object({
  /** Counts up from 1; the `id` of the entry on the transcript's event stream. */
  id: z.number(),
  timestamp: z.string(),
  /** `message`: a sentence of the hub, in the system role. `content`: what a server wrote, in the user role. */
  kind: z.enum(['message', 'content', 'state']),
  text: z.string(),
});
export type TranscriptEntry = z.infer<typeof transcriptEntry>;

export const transcriptAnswer = z.object({ entries: z.array(transcriptEntry) });
