// Turns the text of a configuration file into a Config, or into one error that names every problem by file, entry and
// field.
import { LiveError } from '@tidings/live';
import { messageOf } from '@tidings/live/portable';
import type { z } from 'zod';
import {
  type Config,
  type ServerEntry,
  type TokenEntry,
  builtinEntry,
  commandEntry,
  tokenEntry,
  urlEntry,
} from './config.ts';
import { withEnvFile } from './env-file.ts';
import { type Variables, fillIn, workspaceOf } from './fill-in.ts';
import { type LabelledEntry, readHostMap } from './host-map.ts';
import { type IssuerEntry, issuerEntry, issuerProblems } from './issuer-entry.ts';
import { perUserProblems, sharedAddress } from './per-user.ts';
import { documentSchema, readDocument, similarField } from './read-document.ts';

/** How to read a configuration. */
export interface ParseOptions {
  /** The file that errors name. */
  file: string;
  /** The environment for `${NAME}`. */
  env: Readonly<Record<string, string | undefined>>;
}

const kinds = { command: commandEntry, url: urlEntry, builtin: builtinEntry };
const kindNames = ['command', 'url', 'builtin'] as const;

/**
 * Reads a configuration from its text. Throws an error that names file, entry and field.
 *
 * @example
 * const config = parseConfig('{"servers":[]}', { file: 'servers.json', env: process.env });
 */
export function parseConfig(text: string, options: ParseOptions): Config {
  const problems: string[] = [];
  const document = parseDocument(text, problems);
  const isWhole = problems.length === 0;
  const named = (document?.servers ?? []).map((entry, index) => ({ entry, label: labelOf(index, entry) }));
  const entries: LabelledEntry[] = [...named, ...readHostMap(document?.mcpServers ?? {})];
  const inputs = new Map((document?.inputs ?? []).map((input) => [input.id, input]));
  const variables = { env: options.env, inputs, workspace: workspaceOf(options.file) };
  const servers = entries.flatMap((placed) => parseEntry(placed, variables, problems));
  const tokens = (document?.tokens ?? []).flatMap((entry, index) => {
    const parsed = tokenEntry.safeParse(entry);
    if (!parsed.success) report(parsed.error, `tokens[${index}]`, tokenEntry, problems);
    return parsed.success ? [parsed.data] : [];
  });
  const issuers = (document?.oauth?.issuers ?? []).flatMap((entry, index) => parseIssuer(entry, index, problems));
  const ids = entries.map(({ entry }) => entry['id']);
  reportDoubles(servers, problems);
  reportSharedAddress(servers, problems);
  // Without all fields of the document, a server that is named may only seem to be missing.
  if (isWhole) {
    reportUnknownServers(tokens, ids, problems);
    problems.push(...issuerProblems(issuers, ids));
  }
  if (problems.length > 0) {
    throw new LiveError('INVALID_PARAMS', problems.map((problem) => `${options.file}: ${problem}`).join('\n'));
  }
  const {
    limits: all,
    mentionChanges,
    answerWithinSeconds,
    hostPrefix,
    redactions,
    cors,
    hosts,
    proxies,
    audit,
    versions,
    realtime,
  } = document ?? {};
  return {
    servers,
    tokens,
    ...(issuers.length > 0 && { oauth: { issuers } }),
    ...(all && { limits: all }),
    ...(mentionChanges !== undefined && { mentionChanges }),
    ...(answerWithinSeconds !== undefined && { answerWithinSeconds }),
    ...(hostPrefix !== undefined && { hostPrefix }),
    ...(redactions && { redactions }),
    ...(cors && { cors }),
    ...(hosts && { hosts }),
    ...(proxies && { proxies }),
    ...(audit !== undefined && { audit }),
    ...(versions && { versions }),
    ...(realtime && { realtime }),
  };
}

function parseDocument(text: string, problems: string[]) {
  let document: unknown;
  try {
    document = readDocument(text);
  } catch (error) {
    problems.push(`This is not JSON: ${messageOf(error)}.`);
    return undefined;
  }
  const parsed = documentSchema.safeParse(document);
  if (parsed.success) return parsed.data;
  report(parsed.error, '', documentSchema, problems);
  // The other fields are checked too, so that one error names every problem.
  const refused = new Set<unknown>(parsed.error.issues.flatMap(fieldsOf));
  const others = Object.entries(Object(document)).filter(([field]) => !refused.has(field));
  return documentSchema.safeParse(Object.fromEntries(others)).data;
}

/** The fields of the document that an issue concerns. */
function fieldsOf(issue: z.core.$ZodIssue): readonly PropertyKey[] {
  const isAboutDocument = issue.path.length === 0 && issue.code === 'unrecognized_keys';
  return isAboutDocument ? issue.keys : issue.path.slice(0, 1);
}

function parseEntry(
  { entry, label, isTrackedByDefault = false, isOfHost = false }: LabelledEntry,
  variables: Variables,
  problems: string[],
): ServerEntry[] {
  const given = kindNames.filter((kind) => kind in entry);
  const [kind] = given;
  if (kind === undefined || given.length > 1) {
    const meant = kind === undefined ? misspelled(entry) : [];
    const needed = ['needs exactly one of "command", "url" and "builtin".'];
    problems.push(...(meant.length > 0 ? meant : needed).map((problem) => `${label}: ${problem}`));
    return [];
  }
  const filled = fillIn(entry, variables);
  const { value, filledIn, missing } = isOfHost ? withEnvFile(filled, variables.workspace) : filled;
  const parsed = kinds[kind].safeParse(value);
  const isLeftOut = isOfHost && parsed.success && missing.size > 0;
  if (!isLeftOut) for (const each of missing) problems.push(`${label}: ${each}`);
  if (!parsed.success) report(parsed.error, label, kinds[kind], problems);
  if (!parsed.success || (missing.size > 0 && !isLeftOut)) return [];
  problems.push(...perUserProblems(parsed.data).map((problem) => `${label}: ${problem}`));
  return [
    {
      ...parsed.data,
      ...(filledIn.size > 0 && { filledIn: [...filledIn] }),
      ...(isTrackedByDefault && { isTrackedByDefault }),
      // The other servers of the file stay usable.
      ...(isLeftOut && parsed.data.enabled && { enabled: false, leftOutReason: [...missing].join(' ') }),
    },
  ];
}

/** Fields of an entry without a kind that may have been meant to name it. */
function misspelled(entry: object): string[] {
  const known = new Set(kindNames.flatMap((kind) => Object.keys(kinds[kind].shape)));
  const others = Object.keys(entry).filter((key) => !known.has(key));
  return others.filter((key) => similarField(key, kindNames) !== undefined).map((key) => unknownField(key, kindNames));
}

function parseIssuer(entry: unknown, index: number, problems: string[]): IssuerEntry[] {
  const parsed = issuerEntry.safeParse(entry);
  if (!parsed.success) report(parsed.error, `oauth.issuers[${index}]`, issuerEntry, problems);
  return parsed.success ? [parsed.data] : [];
}

function report(error: z.ZodError, label: string, { shape }: z.ZodObject, problems: string[]): void {
  for (const issue of error.issues) {
    const field = issue.path.join('.');
    const fields = issue.path.length === 0 ? Object.keys(shape) : [];
    problems.push([label, field, explain(issue, fields)].filter((part) => part !== '').join(': '));
  }
}

/** `fields`: those that the object at the issue may have, where they are known. */
function explain(issue: z.core.$ZodIssue, fields: readonly string[]): string {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownField(key, fields)).join(' ');
  if (issue.code === 'invalid_type') {
    const kind = issue.expected === 'record' ? 'object' : issue.expected;
    return `must be ${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}.`;
  }
  return issue.message.endsWith('.') ? issue.message : `${issue.message}.`;
}

function unknownField(key: string, fields: readonly string[]): string {
  const meant = similarField(key, fields);
  return `there is no field "${key}"${meant === undefined ? '.' : `: did you mean "${meant}"?`}`;
}

function reportDoubles(servers: readonly ServerEntry[], problems: string[]): void {
  const seen = new Set<string>();
  for (const { id } of servers) {
    if (seen.has(id)) problems.push(`servers: two entries have the id "${id}". Give each its own.`);
    seen.add(id);
  }
}

function reportSharedAddress(servers: readonly ServerEntry[], problems: string[]): void {
  const found = sharedAddress(servers);
  if (found === undefined) return;
  const { perUser, shared } = found;
  problems.push(
    `server "${shared}": login: "${perUser}" has the same address with "per-user": give both the same "login".`,
  );
}

/** A token for a misspelled server would silently grant nothing. */
function reportUnknownServers(tokens: readonly TokenEntry[], ids: readonly unknown[], problems: string[]): void {
  for (const [index, { servers = [] }] of tokens.entries()) {
    for (const [at, id] of servers.entries()) {
      if (ids.includes(id)) continue;
      problems.push(`tokens[${index}]: servers.${at}: there is no server "${id}". Name one by its id.`);
    }
  }
}

function labelOf(index: number, entry: Record<string, unknown>): string {
  const id = entry['id'];
  return typeof id === 'string' ? `servers[${index}] ("${id}")` : `servers[${index}]`;
}
