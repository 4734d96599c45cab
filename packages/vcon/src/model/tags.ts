// The tags of a vCon: one of its attachments, in one of several styles.
import { LiveError } from '@tidings/live';
import { parsedJson } from '@tidings/live/portable';
import { decodedText, isEncoded } from './body.ts';
import { isList, isObject, type Json, type JsonObject } from './json.ts';
import { isTags } from './vcon.ts';

type Tags = Record<string, string>;

/** Missing or unreadable tags count as none. If a name occurs twice, the later tag counts. */
export function tagsOf(attachments: Json | undefined): Tags {
  return Object.fromEntries(tagPairs(attachments));
}

/** The tags one by one, as they are written. */
export function tagPairs(attachments: Json | undefined): [name: string, value: string][] {
  const attachment = isList(attachments) ? attachments.find(isTags) : undefined;
  return isObject(attachment) ? pairsIn(contentOf(attachment)) : [];
}

/** The attachments with changed tags, at the same index and in the same style. */
export function withTags(attachments: readonly Json[], change: (tags: Tags) => Tags): readonly Json[] {
  const tags = change(tagsOf(attachments));
  const index = attachments.findIndex(isTags);
  const old = attachments[index];
  if (!isObject(old)) return [...attachments, { type: 'tags', encoding: 'json', body: asList(tags, []) }];
  return attachments.with(index, rewritten(old, tags));
}

function rewritten(attachment: JsonObject, tags: Tags): JsonObject {
  const content = contentOf(attachment);
  const body = isObject(content) ? asObject(tags, content) : asList(tags, isList(content) ? content : []);
  if (isEncoded(attachment)) {
    const bytes = Buffer.from(JSON.stringify(body));
    return { ...attachment, body: bytes.toString('base64url'), encoding: 'base64url' };
  }
  return { ...attachment, body: typeof attachment['body'] === 'string' ? JSON.stringify(body) : body };
}

function contentOf(attachment: JsonObject): Json | undefined {
  // Tags are JSON, even if the attachment declares another media type or none.
  const isJson = { mediatype: 'application/json' };
  const body = isEncoded(attachment) ? decodedText({ ...attachment, ...isJson }) : attachment['body'];
  return typeof body === 'string' ? parsedJson(body) : body;
}

function pairsIn(content: Json | undefined): [string, string][] {
  if (isList(content)) return content.flatMap((item) => pairOf(item) ?? []);
  if (!isObject(content)) return [];
  return Object.entries(content).map(([key, value]) => [key, valueText(value)]);
}

/** `key:value`; the value may hold colons itself. */
function pairOf(item: Json): [[string, string]] | undefined {
  if (typeof item !== 'string') return undefined;
  const colon = item.indexOf(':');
  const key = item.slice(0, Math.max(colon, 0)).trim();
  return key === '' ? undefined : [[key, item.slice(colon + 1).trim()]];
}

/** Items that are not readable as tags are kept. */
function asList(tags: Tags, old: readonly Json[]): Json[] {
  const unread = old.filter((item) => pairOf(item) === undefined);
  return [...unread, ...Object.entries(tags).map(([key, value]) => item(key, value))];
}

function item(key: string, value: string): string {
  const text = `${key}:${value}`;
  if (pairOf(text)?.[0][0] === key.trim()) return text;
  throw new LiveError('INVALID_PARAMS', 'The name of a tag is not empty and has no colon: choose another one.');
}

/** Values that are not strings are kept if they did not change. */
function asObject(tags: Tags, old: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(tags).map(([key, value]) => {
      const before = Object.hasOwn(old, key) ? old[key] : undefined;
      return [key, before !== undefined && valueText(before) === value ? before : value];
    }),
  );
}

function valueText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
