// What a configuration says, after it has been read: servers in their order, and the tokens of the hub.
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
  requestsPerSecond: amount,
});

/** Each of the optional fields limits what the token grants. */
export const tokenEntry = z.strictObject({
  env: z.string().min(1, 'must name an environment variable'),
  /** Patterns of the resources it opens. Without it: all. */
  allow: z.array(z.string()).optional(),
  /** Ids of the servers that are there for it. Without it: all. */
  servers: z.array(z.string()).optional(),
  /** Patterns of the tools and prompts it may use, named as on `/mcp`. Under any limit: none but these. */
  tools: names,
  prompts: names,
  redact: z.string().optional(),
  /** Instead of those of the configuration. */
  limits: limits.optional(),
});

export const auditSettings = z.strictObject({
  /** Whether the arguments of tools and prompts are recorded too, without what is a secret by its name. */
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
/** What came in from the environment, wherever it stands: most of it is secret. */
interface FilledIn {
  readonly filledIn?: readonly string[];
}

export type ServerEntry = (CommandEntry | UrlEntry | BuiltinEntry) & FilledIn;
export type TokenEntry = z.infer<typeof tokenEntry>;

export interface Config {
  readonly servers: readonly ServerEntry[];
  readonly tokens: readonly TokenEntry[];
  /** How much each principal may use, where its token does not say so itself. */
  readonly limits?: z.infer<typeof limits>;
  /** What a `redact` of a token can name; read by the server that redacts. */
  readonly redactions?: Readonly<Record<string, unknown>>;
  /** Origins of pages elsewhere that may call the hub. */
  readonly cors?: readonly string[];
  /** Names, besides those of this machine, by which clients reach the hub. */
  readonly hosts?: readonly string[];
  /** Addresses of proxies in front of the hub: what they say in X-Forwarded-For and -Proto is believed. */
  readonly proxies?: readonly string[];
  /** What the hub's audit log keeps; false: there is none. */
  readonly audit?: false | z.infer<typeof auditSettings>;
  /** Addresses besides OpenAI's own to which an agent session may be opened, and its key be sent. */
  readonly realtime?: readonly string[];
}
