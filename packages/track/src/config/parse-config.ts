// From the text of a configuration file to a Config, or to one error that names every problem by file,
// entry and field.
import { LiveError } from '@tidings/live';
import { z } from 'zod';
import {
  type Config,
  type ServerEntry,
  type TokenEntry,
  auditSettings,
  builtinEntry,
  commandEntry,
  limits,
  tokenEntry,
  urlEntry,
} from './config.ts';
import { readHostMap } from './host-map.ts';

export interface ParseOptions {
  /** Named in every error. */
  file: string;
  /** Where `${NAME}` is looked up. */
  env: Readonly<Record<string, string | undefined>>;
}

const kinds = { command: commandEntry, url: urlEntry, builtin: builtinEntry };
const kindNames = ['command', 'url', 'builtin'] as const;
/** Paths are not secret, and are often the cause of an error. */
const places = /^(HOME|PATH|PWD|TMPDIR|TEMP|TMP|USERPROFILE|APPDATA|LOCALAPPDATA)$/i;

const documentSchema = z.strictObject({
  servers: z.array(z.looseObject({})).optional(),
  mcpServers: z.record(z.string(), z.looseObject({})).optional(),
  tokens: z.array(z.unknown()).default([]),
  limits: limits.optional(),
  redactions: z.record(z.string(), z.unknown()).optional(),
  cors: z.array(z.url({ protocol: /^https?$/, error: 'must be an origin such as https://example.com' })).optional(),
  hosts: z.array(z.string().regex(/^[\w.-]+$/, 'must be a name such as tidings.example.com, without port')).optional(),
  proxies: z.array(z.union([z.ipv4(), z.ipv6()], { error: 'must be an address such as 127.0.0.1' })).optional(),
  audit: z.union([z.literal(false), auditSettings], { error: 'must be false or an object' }).optional(),
  realtime: z.array(z.url({ protocol: /^wss?$/, error: 'must be a ws:// or wss:// address' })).optional(),
});

export function parseConfig(text: string, options: ParseOptions): Config {
  const problems: string[] = [];
  const document = parseDocument(text, problems);
  const named = (document?.servers ?? []).map((entry, index) => ({ entry, place: placeOf(index, entry) }));
  const entries = [...named, ...readHostMap(document?.mcpServers ?? {})];
  const servers = entries.flatMap(({ entry, place }) => parseEntry(entry, place, options.env, problems));
  const tokens = (document?.tokens ?? []).flatMap((entry, index) => {
    const parsed = tokenEntry.safeParse(entry);
    if (!parsed.success) report(parsed.error, `tokens[${index}]`, problems);
    return parsed.success ? [parsed.data] : [];
  });
  reportDoubles(servers, problems);
  reportUnknownServers(
    tokens,
    entries.map(({ entry }) => entry['id']),
    problems,
  );
  if (problems.length > 0) {
    throw new LiveError('INVALID_PARAMS', problems.map((problem) => `${options.file}: ${problem}`).join('\n'));
  }
  const { limits: all, redactions, cors, hosts, proxies, audit, realtime } = document ?? {};
  return {
    servers,
    tokens,
    ...(all && { limits: all }),
    ...(redactions && { redactions }),
    ...(cors && { cors }),
    ...(hosts && { hosts }),
    ...(proxies && { proxies }),
    ...(audit !== undefined && { audit }),
    ...(realtime && { realtime }),
  };
}

function parseDocument(text: string, problems: string[]) {
  try {
    const parsed = documentSchema.safeParse(JSON.parse(text.replace(/^\uFEFF/, '')));
    if (parsed.success) return parsed.data;
    report(parsed.error, '', problems);
  } catch (error) {
    problems.push(`This is not JSON: ${withoutQuote(error)}`);
  }
  return undefined;
}

/** The position of the error without the surrounding text, which may contain a secret. */
function withoutQuote(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/, (\.\.\.)?".*"(\.\.\.)? is not valid JSON$/s, '');
}

function parseEntry(
  entry: Record<string, unknown>,
  place: string,
  env: ParseOptions['env'],
  problems: string[],
): ServerEntry[] {
  const given = kindNames.filter((kind) => kind in entry);
  const [kind] = given;
  if (kind === undefined || given.length > 1) {
    problems.push(`${place}: needs exactly one of "command", "url" and "builtin".`);
    return [];
  }
  const filling: Filling = { env, filledIn: new Set(), missing: new Set() };
  const parsed = kinds[kind].safeParse(fillIn(entry, filling, []));
  for (const each of filling.missing) problems.push(`${place}: ${each}`);
  if (!parsed.success) report(parsed.error, place, problems);
  if (!parsed.success || filling.missing.size > 0) return [];
  return [filling.filledIn.size === 0 ? parsed.data : { ...parsed.data, filledIn: [...filling.filledIn] }];
}

interface Filling {
  env: ParseOptions['env'];
  filledIn: Set<string>;
  /** Variables that the environment lacks. */
  missing: Set<string>;
}

/** Replaces `${NAME}` in every string. */
function fillIn(value: unknown, filling: Filling, path: string[]): unknown {
  if (typeof value === 'string') {
    return value.replaceAll(/\$\{([A-Za-z_]\w*)\}/g, (_, name: string) => {
      const filled = filling.env[name];
      if (filled === undefined)
        filling.missing.add(`${path.join('.')}: the environment has no ${name}. Set it, or leave this out.`);
      else if (!places.test(name)) filling.filledIn.add(filled);
      return filled ?? '';
    });
  }
  if (Array.isArray(value)) return value.map((each, index) => fillIn(each, filling, [...path, String(index)]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fillIn(each, filling, [...path, key])]));
}

function report(error: z.ZodError, place: string, problems: string[]): void {
  for (const issue of error.issues) {
    const field = issue.path.join('.');
    problems.push([place, field, explain(issue)].filter((part) => part !== '').join(': '));
  }
}

function explain(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `there is no field ${issue.keys.map((key) => `"${key}"`).join(', ')}.`;
  if (issue.code === 'invalid_type') {
    const kind = issue.expected === 'record' ? 'object' : issue.expected;
    return `must be ${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}.`;
  }
  return issue.message.endsWith('.') ? issue.message : `${issue.message}.`;
}

function reportDoubles(servers: readonly ServerEntry[], problems: string[]): void {
  const seen = new Set<string>();
  for (const { id } of servers) {
    if (seen.has(id)) problems.push(`servers: two entries have the id "${id}". Give each its own.`);
    seen.add(id);
  }
}

/** A token for a misspelled server would grant nothing, without any message. */
function reportUnknownServers(tokens: readonly TokenEntry[], ids: readonly unknown[], problems: string[]): void {
  for (const [index, { servers = [] }] of tokens.entries()) {
    for (const [place, id] of servers.entries()) {
      if (ids.includes(id)) continue;
      problems.push(`tokens[${index}]: servers.${place}: there is no server "${id}". Name one by its id.`);
    }
  }
}

function placeOf(index: number, entry: Record<string, unknown>): string {
  const id = entry['id'];
  return typeof id === 'string' ? `servers[${index}] ("${id}")` : `servers[${index}]`;
}
