// A parsed configuration: the servers in their order, and the tokens and settings of the hub.
import { z } from 'zod';
import { accessTermsSchema, limits, namePatternsSchema } from './access-terms.ts';
import type { IssuerEntry } from './issuer-entry.ts';

const common = {
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must be 1 to 32 of a-z, 0-9 and "-", and not begin with "-"'),
  description: z.string().optional(),
  enabled: z.boolean().default(true),
  trackResources: z.boolean().default(false),
  /** Changed or new definitions are held back until a person agrees to them. */
  pin: z.boolean().optional(),
  /** Which of its tools are offered, by their own names or patterns. Default: all. */
  tools: z.strictObject({ include: namePatternsSchema, exclude: namePatternsSchema }).optional(),
  /** A 2025-era server that depends on its client's capabilities: each caller gets a session with its own. */
  sessionPerCaller: z.boolean().optional(),
};

export const commandEntry = z.strictObject({
  ...common,
  command: z.string().min(1, 'must name a program'),
  args: z.array(z.string()).default([]),
  workingDirectory: z.string().optional(),
  env: z.record(z.string(), z.string()).default({}),
});

const oauthText = z.string().min(1, 'must not be empty');
/** With these fields a secret is sent to the authorization server, so the configuration must name that server. */
const oauthIssuer = z.url({ protocol: /^https?$/, error: 'must be the http:// or https:// name of the issuer' });

/** A person logs in, as a client that the authorization server knows already or learns of by `clientMetadataUrl`. */
const personOAuth = z
  .strictObject({
    grant: z.undefined().optional(),
    clientId: oauthText.optional(),
    clientSecret: oauthText.optional(),
    clientMetadataUrl: z.url({ protocol: /^https$/, error: 'must be an https:// address' }).optional(),
    issuer: oauthIssuer.optional(),
    scope: oauthText.optional(),
  })
  .refine(({ clientSecret, clientId }) => clientSecret === undefined || clientId !== undefined, {
    path: ['clientId'],
    error: 'is needed with "clientSecret"',
  })
  .refine(({ clientSecret, issuer }) => clientSecret === undefined || issuer !== undefined, {
    path: ['issuer'],
    error: 'is needed with "clientSecret": the secret goes to this issuer only',
  });

/** A machine logs in by itself. */
const machineOAuth = z
  .strictObject({
    grant: z.literal('client_credentials'),
    clientId: oauthText,
    clientSecret: oauthText.optional(),
    /** PKCS #8, as PEM. */
    privateKey: oauthText.optional(),
    algorithm: z
      .enum(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'])
      .default('RS256'),
    issuer: oauthIssuer,
    scope: oauthText.optional(),
  })
  .refine(({ clientSecret, privateKey }) => (clientSecret === undefined) !== (privateKey === undefined), {
    path: ['clientSecret'],
    error: 'or "privateKey" is needed, and only one of them',
  });

/** How to log in. */
const oauth = z.discriminatedUnion('grant', [personOAuth, machineOAuth], {
  error: ({ path = [] }) =>
    path.at(-1) === 'grant' ? 'must be "client_credentials", or left out where people log in' : 'must be an object',
});

export const urlEntry = z.strictObject({
  ...common,
  url: z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' }),
  headers: z.record(z.string(), z.string()).default({}),
  /** How to log in if the server requires OAuth. A header `Authorization` takes precedence. */
  oauth: oauth.optional(),
  /** Whose login is used: the hub's for all callers, or each caller's own. Default: `shared`. */
  login: z.enum(['shared', 'per-user'], { error: 'must be "shared" or "per-user"' }).optional(),
});

export const builtinEntry = z.strictObject({ ...common, builtin: z.string().min(1, 'must name a built-in server') });

/** Each optional field limits what the token grants. */
export const tokenEntry = z.strictObject({
  env: z.string().min(1, 'must name an environment variable'),
  ...accessTermsSchema,
  /** Override those of the configuration. */
  limits: limits.optional(),
  mentionChanges: z.boolean().optional(),
});

export const auditSettings = z.strictObject({
  /** Whether arguments of tools and prompts are recorded, except those named like secrets. */
  arguments: z.boolean().default(false),
  /** In a data folder: the size of one file, and how many files are kept. */
  megabytes: z.number().positive().default(10),
  files: z.int().min(1).default(10),
  /** On PostgreSQL: how many records are kept. */
  rows: z.int().min(1000).default(1_000_000),
});

/** The versions of tracked resources that the hub keeps in memory. */
export const versionSettings = z.strictObject({
  /** Versions of each resource; 0 keeps none. */
  count: z.int().min(0).max(1000).default(20),
  /** The size of all versions together. */
  megabytes: z.number().positive().max(4096).default(64),
});

/**
 * A server that is started as a process, over stdio. `inheritsAll`: the process gets the whole environment, because the
 * user typed the command in a shell. Default: PATH, HOME, the locale and `env`.
 */
export type CommandEntry = z.infer<typeof commandEntry> & { readonly inheritsAll?: boolean };
export type MachineOAuth = z.infer<typeof machineOAuth>;
export type OAuthSettings = z.infer<typeof personOAuth> | MachineOAuth;
/** A server that is reached over HTTP. `headers` are sent with every request; default: none. */
export type UrlEntry = z.infer<typeof urlEntry>;
/** A server that runs in this process: see `builtins` of `openTracker`. */
export type BuiltinEntry = z.infer<typeof builtinEntry>;
/** Values that came from the environment: most of them are secrets, and are concealed in logs and errors. */
interface FilledIn {
  readonly filledIn?: readonly string[];
}

/** Whether `trackResources` is a default: then a server without resources is not an error. */
interface TrackedByDefault {
  readonly isTrackedByDefault?: boolean;
}

/** Why the entry is disabled: a variable in it has no value. */
interface Lacking {
  readonly leftOutReason?: string;
}

/** One server of a configuration. Default: enabled, and not tracked (`trackResources`). */
export type ServerEntry = (CommandEntry | UrlEntry | BuiltinEntry) & FilledIn & TrackedByDefault & Lacking;
/** A token of the hub, and what it grants. Default: everything. */
export type TokenEntry = z.infer<typeof tokenEntry>;

/** A configuration that was read and checked by `loadConfig`. The tracker uses `servers`; the rest is for the hub. */
export interface Config {
  readonly servers: readonly ServerEntry[];
  readonly tokens: readonly TokenEntry[];
  /** The issuers of access tokens that the hub accepts besides its own tokens. */
  readonly oauth?: { readonly issuers: readonly IssuerEntry[] };
  /** The quota of each principal whose token has none of its own. */
  readonly limits?: z.infer<typeof limits>;
  /** Whether tool results mention resources that their caller has read and that have changed since. Default: true. */
  readonly mentionChanges?: boolean;
  /** How many seconds a modern client has to answer the questions of a 2025-era server. Default: 60. */
  readonly answerWithinSeconds?: number;
  /**
   * The prefix that hosts add to the names of the hub's tools; both together may have 64 characters. Default:
   * `mcp__tidings__`.
   */
  readonly hostPrefix?: string;
  /** Redactions by the name that `redact` of a token uses; the server that redacts interprets them. */
  readonly redactions?: Readonly<Record<string, unknown>>;
  /** Origins of other pages that may call the hub. */
  readonly cors?: readonly string[];
  /** Host names of the hub besides those of this machine. */
  readonly hosts?: readonly string[];
  /** Addresses of proxies in front of the hub: their X-Forwarded-For and -Proto headers are trusted. */
  readonly proxies?: readonly string[];
  /** What the audit log records; false: no audit log. */
  readonly audit?: false | z.infer<typeof auditSettings>;
  /** How many versions of each tracked resource are kept. Default: 20, of at most 64 MB together. */
  readonly versions?: z.infer<typeof versionSettings>;
  /** Addresses besides OpenAI's own to which an agent session, and its API key, may be sent. */
  readonly realtime?: readonly string[];
}
