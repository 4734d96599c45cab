// The requests that attach sessions. None holds a secret: a key is in an environment variable of the hub.
import { requestedPattern } from '@tidings/client/contract';
import { z } from 'zod';

const nothingChosen = 'names none, so there would be nothing to tell: name some, or leave it out for all';

const keyEnv = z.string().regex(/^[A-Z_][A-Z0-9_]*$/, 'must name an environment variable');
const socketUrl = z.url({ protocol: /^wss?$/, error: 'must be a ws:// or wss:// address' });

const common = {
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must be lower-case letters, digits and hyphens, such as "kitchen"')
    .optional(),
  when: z.enum(['now', 'between-turns']).optional(),
  per_minute: z.int().positive().optional(),
  servers: z.array(z.string()).min(1, nothingChosen).optional(),
  // Each is compared with every change.
  uris: z.array(requestedPattern).min(1, nothingChosen).max(100).optional(),
  announce: z.enum(['line', 'snapshot', 'diff']).optional(),
};

export const attachSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('openai-realtime'),
    key_env: keyEnv.default('OPENAI_API_KEY'),
    url: socketUrl.optional(),
    model: z.string().optional(),
    ...common,
  }),
  z.strictObject({
    kind: z.literal('gemini-live'),
    key_env: keyEnv.default('GEMINI_API_KEY'),
    url: socketUrl.optional(),
    model: z.string({ error: 'must name a model of the Gemini Live API' }).min(1),
    ...common,
  }),
  z.strictObject({
    kind: z.literal('webhook'),
    key_env: keyEnv.default('TIDINGS_WEBHOOK_SECRET'),
    url: z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' }),
    ...common,
  }),
  z.strictObject({ kind: z.literal('stdout'), ...common }),
]);

export type AttachRequest = z.infer<typeof attachSchema>;
