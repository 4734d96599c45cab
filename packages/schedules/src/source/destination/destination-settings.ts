// The file of destinations. It contains no secrets, only names of environment variables that contain them.
import { parsedJson, systemCode } from '@tidings/live/portable';
import { readFile } from 'node:fs/promises';
import { LiveError } from '@tidings/live';
import { z } from 'zod';
import { isTopic } from '../../model/topic.ts';
import { mostTries } from '../../model/tries.ts';

const variable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must name an environment variable, and not hold the secret itself');
const retries = {
  tries: z.int().min(1).max(mostTries).optional(),
  pause_seconds: z.number().positive().max(3600).optional(),
};
const address = z.email('must be an e-mail address');

const destination = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ntfy'), url: z.string().optional(), token_env: variable.optional(), ...retries }),
  z.strictObject({ kind: z.literal('webhook'), url: z.string(), secret_env: variable, ...retries }),
  z.strictObject({ kind: z.literal('slack'), url_env: variable, ...retries }),
  z.strictObject({
    kind: z.literal('email'),
    server: z.string(),
    user: z.string().optional(),
    password_env: variable.optional(),
    from: address,
    to: z.union([address.transform((one) => [one]), z.array(address).min(1)]),
    ...retries,
  }),
  z.strictObject({ kind: z.literal('session'), session: z.string().min(1), ...retries }),
]);

export type DestinationSettings = z.infer<typeof destination>;

const name = z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must be a name such as "team-chat"');
const topic = z.string().refine((key) => key === '*' || isTopic(key), 'must be a topic, or "*" for all others');

const destinationsFile = z
  .strictObject({ destinations: z.record(name, destination), topics: z.record(topic, z.string()).default({}) })
  .check(({ value: { destinations, topics }, issues }) => {
    for (const [key, wanted] of Object.entries(topics)) {
      if (Object.hasOwn(destinations, wanted) || wanted === usualName) continue;
      const message = `there is no destination "${wanted}": name one of ${[...Object.keys(destinations), usualName].join(', ')}`;
      issues.push({ code: 'custom', input: wanted, path: ['topics', key], message });
    }
  });

export type DestinationsFile = z.infer<typeof destinationsFile>;

/** The destination without any settings: ntfy at TIDINGS_NTFY_URL. */
export const usualName = 'ntfy';

/** Undefined if there is no file and none was required. */
export async function readDestinations(file: string, isWanted: boolean): Promise<DestinationsFile | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (!isWanted && systemCode(error) === 'ENOENT') return undefined;
    throw new LiveError('INVALID_PARAMS', `${file} cannot be read: it should hold the destinations of notifications.`);
  }
  return parseDestinations(text, file);
}

export function parseDestinations(text: string, file: string): DestinationsFile {
  const json = parsedJson(text);
  if (json === undefined) throw new LiveError('INVALID_PARAMS', `${file} is not JSON.`);
  const { data, error } = destinationsFile.safeParse(json);
  if (data) return data;
  const [issue] = error.issues;
  throw new LiveError('INVALID_PARAMS', `${file}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}.`);
}
