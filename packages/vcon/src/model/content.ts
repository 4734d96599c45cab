// The content of an entry: inline (body and encoding) or elsewhere (url and content_hash).
import { z } from 'zod';
import { decodedBody } from './body.ts';
import { isObject, type JsonObject } from './json.ts';

const hash = z
  .string()
  .regex(/^sha512-[\w-]+={0,2}$/, 'must be sha512- and the hash in base64url')
  .describe('sha512- followed by the hash of the content in base64url');

/** Fields by which a vCon or a content elsewhere is referred to. */
export const referenceFields = {
  url: z
    .url({ protocol: /^https$/, error: 'must be an https URL' })
    .optional()
    .describe('Where the content is (https)'),
  content_hash: z
    .union([hash, z.array(hash)], 'must be sha512- and the hash in base64url, or a list of such')
    .optional(),
};

export const contentFields = {
  ...referenceFields,
  mediatype: z.string().optional().describe('Media type, such as text/plain or audio/wav'),
  filename: z.string().optional(),
  body: z.unknown().optional().describe('The content itself: text, JSON, or bytes in base64url, as encoding says'),
  encoding: z
    .enum(['base64url', 'json', 'none'], 'must be base64url, json or none')
    .optional()
    .describe('How to read the body: none (plain text), json or base64url'),
};

/** A rule about several fields of an entry; `field` is the one its error names. */
export interface Rule {
  field: string;
  error: string;
  holds(this: void, entry: JsonObject): boolean;
}

export function rule(field: string, error: string, holds: Rule['holds']): Rule {
  return { field, error, holds };
}

/** All rules of an entry in one check. They run even if a field is invalid, so that all problems are reported. */
export function follows(...rules: readonly Rule[]) {
  return z.core._check(
    ({ value, issues }) => {
      if (!isObject(value)) return;
      for (const { field, error, holds } of rules) {
        if (!holds(value)) issues.push({ code: 'custom', path: [field], message: error, input: value });
      }
    },
    { when: () => true },
  );
}

/** The url of a reference goes with its hash, which older files write as alg and signature. */
export const referenceRules: readonly Rule[] = [
  rule('content_hash', 'missing, but goes with a url', (entry) => {
    const isHashed = has(entry, 'content_hash') || (has(entry, 'alg') && has(entry, 'signature'));
    return !has(entry, 'url') || isHashed;
  }),
];

export const contentRules: readonly Rule[] = [
  ...referenceRules,
  rule(
    'body',
    'inline content has no url: leave out one of both',
    (entry) => !(has(entry, 'body') && has(entry, 'url')),
  ),
  rule('encoding', 'missing, but goes with a body', (entry) => !has(entry, 'body') || has(entry, 'encoding')),
  rule('body', 'must be text where encoding is none', (entry) => {
    return entry['encoding'] !== 'none' || !has(entry, 'body') || typeof entry['body'] === 'string';
  }),
  rule('body', 'is not base64url, as its encoding says', (entry) => {
    return entry['encoding'] !== 'base64url' || !has(entry, 'body') || decodedBody(entry) !== undefined;
  }),
];

/** `field` is a name of the format, never one that every object inherits, such as `toString`. */
export function has(entry: JsonObject, field: string): boolean {
  return (entry[field] ?? null) !== null;
}
