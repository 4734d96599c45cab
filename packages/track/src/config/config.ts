// A parsed configuration: the servers in their order, and the tokens and settings of the hub.
import { z } from 'zod';

const common = {
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must be 1 to 32 of a-z, 0-9 and "-", and not begin with "-"'),
  description: z.string().optional(),
  enabled: z.boolean().default(true),
  trackResources: z.boolean().default(false),
  /** Changed or new definitions are held back until a person agrees to them. */
  pin: z.boolean().optional(),
};

export const commandEntry = z.strictObject({
  ...common,
  command: z.string().min(1, 'must name a program'),
  args: z.array(z.string()).default([]),
  workingDirectory: z.string().optional(),
  env: z.record(z.string(), z.string()).default({}),
});

export const urlEntry = z.strictObject({
  ...common,
  url: z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' }),
  headers: z.record(z.string(), z.string()).default({}),
});

export const builtinEntry = z.strictObject({ ...common, builtin: z.string().min(1, 'must name a built-in server') });

const names = z.array(z.string().min(1, 'must be a name, or a pattern such as "notes_*"')).optional();

const amount = z
  .number()
  .refine((value) => Number.isSafeInteger(value) && value > 0, 'must be a whole number above 0')
  .optional();

/** How much one principal may use of the hub. */
export const limits = z.strictObject({
  sessions: amount,
  streams: amount,
  watchedUris: amount,
  agentSessions: amount,
  requestsInFlight: amount,
  unreadBytes: amount,
  requestsPerSecond: amount,
});

/** Each optional field limits what the token grants. */
export const tokenEntry = z.strictObject({
  env: z.string().min(1, 'must name an environment variable'),
  /** Patterns of the resources it may access. Default: all. */
  allow: z.array(z.string()).optional(),
  /** Ids of the servers it may use. Default: all. */
  servers: z.array(z.string()).optional(),
  /** Patterns of the tools and prompts it may use, named as on `/mcp`. Under any limit: none but these. */
  tools: names,
  prompts: names,
  redact: z.string().optional(),
  /** Instead of those of the configuration. */
  limits: limits.optional(),
});

export const auditSettings = z.strictObject({
  /** Whether arguments of tools and prompts are recorded, too, except those named like secrets. */
  arguments: z.boolean().default(false),
  /** Of one file, and how many files are kept; in a data folder. */
  megabytes: z.number().positive().default(10),
  files: z.int().min(1).default(10),
  /** How many records are kept; on PostgreSQL. */
  rows: z.int().min(1000).default(1_000_000),
});

/** `inheritsAll` comes from a program only, never from a file: the user typed the command in a shell of their own. */
export type CommandEntry = z.infer<typeof commandEntry> & { readonly inheritsAll?: boolean };
export type UrlEntry = z.infer<typeof urlEntry>;
export type BuiltinEntry = z.infer<typeof builtinEntry>;
/** Values that came from the environment, wherever they occur: most of them are secret. */
interface FilledIn {
  readonly filledIn?: readonly string[];
}

export type ServerEntry = (CommandEntry | UrlEntry | BuiltinEntry) & FilledIn;
export type TokenEntry = z.infer<typeof tokenEntry>;

export interface Config {
  readonly servers: readonly ServerEntry[];
  readonly tokens: readonly TokenEntry[];
  /** The quota of each principal whose token has none of its own. */
  readonly limits?: z.infer<typeof limits>;
  /** What the `redact` of a token can name; interpreted by the server that redacts. */
  readonly redactions?: Readonly<Record<string, unknown>>;
  /** Origins of pages elsewhere that may call the hub. */
  readonly cors?: readonly string[];
  /** Names, besides those of this machine, by which clients reach the hub. */
  readonly hosts?: readonly string[];
  /** Addresses of proxies in front of the hub: their X-Forwarded-For and -Proto headers are trusted. */
  readonly proxies?: readonly string[];
  /** What the audit log keeps; false: no audit log. */
  readonly audit?: false | z.infer<typeof auditSettings>;
  /** Addresses besides OpenAI's own to which an agent session, and its API key, may be sent. */
  readonly realtime?: readonly string[];
}
