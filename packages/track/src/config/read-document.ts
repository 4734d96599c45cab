// Parses the text of a configuration file: our own form, or another host's file, which has a map of servers
// (`mcpServers`; VS Code: `servers`), comments, and settings that mean nothing here.
import { bySimilarity } from '@tidings/live/internal';
import { isObject, withoutMark } from '@tidings/live/portable';
import * as jsonc from 'jsonc-parser';
import { z } from 'zod';
import { positionOf, syntaxErrorText } from '../base/json-syntax.ts';
import { limits } from './access-terms.ts';
import { auditSettings, versionSettings } from './config.ts';

const hostMap = z.record(z.string(), z.looseObject({}));

const text = z.string().optional().catch(undefined);
const hostInputs = z
  .array(z.object({ id: z.string(), description: text, default: text }).or(z.unknown().transform(() => undefined)))
  .transform((inputs) => inputs.filter((input) => input !== undefined))
  .catch([]);

export const documentSchema = z.strictObject({
  servers: z
    .unknown()
    .refine(Array.isArray, 'must be an array: a map of servers belongs under "mcpServers"')
    .pipe(z.array(z.looseObject({})))
    .optional(),
  mcpServers: hostMap.optional(),
  /** Inputs of VS Code; see fill-in.ts. */
  inputs: hostInputs.optional(),
  tokens: z.array(z.unknown()).default([]),
  oauth: z.strictObject({ issuers: z.array(z.unknown()).min(1, 'must have an entry') }).optional(),
  limits: limits.optional(),
  mentionChanges: z.boolean().optional(),
  answerWithinSeconds: z.number().min(1).max(3600).optional(),
  hostPrefix: z
    .string()
    .regex(/^[\w-]{0,32}$/, 'must be at most 32 of A-Z, a-z, 0-9, "_" and "-"')
    .optional(),
  redactions: z.record(z.string(), z.unknown()).optional(),
  cors: z.array(z.url({ protocol: /^https?$/, error: 'must be an origin such as https://example.com' })).optional(),
  hosts: z.array(z.string().regex(/^[\w.-]+$/, 'must be a name such as tidings.example.com, without port')).optional(),
  proxies: z.array(z.union([z.ipv4(), z.ipv6()], { error: 'must be an address such as 127.0.0.1' })).optional(),
  audit: z.union([z.literal(false), auditSettings], { error: 'must be false or an object' }).optional(),
  versions: versionSettings.optional(),
  realtime: z
    .array(z.url({ protocol: /^(wss?|https?)$/, error: 'must be a ws://, wss://, http:// or https:// address' }))
    .optional(),
});

const fields = Object.keys(documentSchema.shape);
/** A name within this edit distance of one of our fields counts as a typing error. */
const similarity = 2;

/** Throws if the text is not JSON. `documentSchema` checks the content. */
export function readDocument(text: string): unknown {
  const errors: jsonc.ParseError[] = [];
  const bare = withoutMark(text);
  const value: unknown = jsonc.parse(bare, errors, { allowTrailingComma: true, allowEmptyContent: false });
  const [error] = errors;
  if (error) throw new Error(`${syntaxErrorText(error.error)} at ${positionOf(bare, error.offset)}`);
  return withoutHostSettings(value);
}

function withoutHostSettings(value: unknown): unknown {
  if (!isObject(value)) return value;
  const all = new Map<string, unknown>(Object.entries(value));
  const servers = all.get('servers');
  if (isObject(servers) && !all.has('mcpServers')) {
    all.set('mcpServers', servers);
    all.delete('servers');
  }
  if (!all.has('mcpServers') || all.has('servers')) return Object.fromEntries(all);
  return Object.fromEntries([...all].filter(([name]) => similarField(name, fields) !== undefined));
}

/** The field that was meant by a name, which may be misspelled. */
export function similarField(name: string, known: readonly string[]): string | undefined {
  const [nearest] = bySimilarity(name, known);
  return nearest && nearest.distance <= similarity ? nearest.name : undefined;
}
