// The bodies of requests that change something: servers in `/api/servers`, agent sessions in `/api/sessions`.
import { hasCredentials, parsedUrl } from '@tidings/live/portable';
import * as z from 'zod/mini';
import { requestedPattern } from './requested-pattern.ts';

export const serverPatch = z
  .strictObject({ tracked: z.optional(z.boolean()), enabled: z.optional(z.boolean()) })
  .check(z.refine((patch) => Object.keys(patch).length > 0, 'must have tracked or enabled'));
export type ServerPatch = z.input<typeof serverPatch>;

/** Over HTTP only addresses are accepted: commands and secrets belong into the configuration file. */
const noVariable = 'must have no ${NAME}: write that into the configuration file';

/** A variable would be filled in from the environment, and its value sent to the address, or shown. */
function namesNoVariable(text: string): boolean {
  return !text.includes('${');
}

export const addedServer = z.strictObject({
  id: z
    .string()
    .check(z.regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must be 1 to 32 of a-z, 0-9 and "-", and not begin with "-"')),
  url: z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' }).check(
    z.refine((url) => {
      const parsed = parsedUrl(url);
      return parsed === undefined || !hasCredentials(parsed);
    }, 'must have no password: write it into the configuration file, as ${NAME}'),
    z.refine(namesNoVariable, noVariable),
  ),
  description: z.optional(z.string().check(z.maxLength(500), z.refine(namesNoVariable, noVariable))),
  trackResources: z._default(z.boolean(), true),
});
export type AddServerRequest = z.input<typeof addedServer>;
export type AddedServer = z.output<typeof addedServer>;

const nothingChosen = 'names none, so there would be nothing to tell: name some, or leave it out for all';
const keyEnv = z.string().check(z.regex(/^[A-Z_][A-Z0-9_]*$/, 'must name an environment variable'));
const socketUrl = z.url({ protocol: /^wss?$/, error: 'must be a ws:// or wss:// address' });

const common = {
  id: z.optional(
    z
      .string()
      .check(z.regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must be lower-case letters, digits and hyphens, such as "kitchen"')),
  ),
  when: z.optional(z.enum(['now', 'between-turns'])),
  per_minute: z.optional(z.int().check(z.positive())),
  servers: z.optional(z.array(z.string()).check(z.minLength(1, nothingChosen))),
  // Limited, because each pattern is compared with every change.
  uris: z.optional(z.array(requestedPattern).check(z.minLength(1, nothingChosen), z.maxLength(100))),
  announce: z.optional(z.enum(['line', 'snapshot', 'diff'])),
};

/** A new agent session. It holds no secret: a key is in an environment variable of the hub. */
export const attachRequest = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('openai-realtime'),
    key_env: z._default(keyEnv, 'OPENAI_API_KEY'),
    url: z.optional(socketUrl),
    model: z.optional(z.string()),
    ...common,
  }),
  z.strictObject({
    kind: z.literal('gemini-live'),
    key_env: z._default(keyEnv, 'GEMINI_API_KEY'),
    url: z.optional(socketUrl),
    model: z.string({ error: 'must name a model of the Gemini Live API' }).check(z.minLength(1)),
    ...common,
  }),
  z.strictObject({
    kind: z.literal('webhook'),
    key_env: z._default(keyEnv, 'TIDINGS_WEBHOOK_SECRET'),
    url: z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' }),
    ...common,
  }),
  z.strictObject({ kind: z.literal('stdout'), ...common }),
]);
export type AttachRequest = z.infer<typeof attachRequest>;
/** The name of a field of any kind of session. */
export type AttachField = AttachRequest extends infer Kind ? (Kind extends Kind ? keyof Kind : never) : never;
