// The body of an entry: bytes if it is encoded, text if it can be read.
import { isDeeperThan } from '@tidings/live/internal';
import { parsedJson, withoutMark } from '@tidings/live/portable';
import { isObject, isList, type Json, type JsonObject } from './json.ts';
import { mostLevels } from './nesting.ts';

const unknownMediaType = 'application/octet-stream';
const essencePattern = /^\s*([!#$&^_.+\w-]{1,127}\/[!#$&^_.+\w-]{1,127})\s*(?=;|$)/;
const parameterPattern = /;\s*([\w!#$&^.+-]+)=("[\x20\x21\x23-\x5b\x5d-\x7e]*"|[\w!#$&'*^.+-]+)/g;

/** The entry's media type on one line, in lower case but for its parameters; either of its two names. */
export function mediaTypeOf(entry: JsonObject): string {
  const given = entry['mediatype'] ?? entry['mimetype'];
  const essence = typeof given === 'string' ? essencePattern.exec(given)?.[1] : undefined;
  if (typeof given !== 'string' || essence === undefined) return unknownMediaType;
  if (!given.includes(';')) return essence.toLowerCase();
  const parameters = [...given.matchAll(parameterPattern)].map(([, name = '', value = '']) => `; ${name}=${value}`);
  return essence.toLowerCase() + parameters.join('');
}

/** Whether bytes of this media type are text in UTF-8. */
function isTextual(mediaType: string): boolean {
  const [essence = ''] = mediaType.split(';');
  const charset = /;\s*charset="?([^";]+)/i.exec(mediaType)?.[1] ?? 'utf-8';
  return (
    (essence.startsWith('text/') || essence === 'application/json' || essence.endsWith('+json')) &&
    /^(?:utf-?8|us-ascii)$/i.test(charset)
  );
}

export function isEncoded(entry: JsonObject): boolean {
  const { encoding } = entry;
  return typeof encoding === 'string' && /^base64(?:url)?$/i.test(encoding);
}

/** The decoded body; undefined if there is none, or it cannot be decoded. */
export function decodedBody(entry: JsonObject): { bytes: Buffer; mediaType: string } | undefined {
  const { body } = entry;
  if (!isEncoded(entry) || typeof body !== 'string') return undefined;
  const bytes = decoded(body);
  return bytes && { bytes, mediaType: mediaTypeOf(entry) };
}

/** Accepts both alphabets, since files that declare base64url often contain plain base64. */
function decoded(body: string): Buffer | undefined {
  const text = body.replaceAll(/[\r\n]/g, '');
  const [digits = ''] = /^[\w+/-]*(?=={0,2}$)/.exec(text) ?? [undefined];
  const isWhole = /^[\w+/-]*={0,2}$/.test(text) && digits.length % 4 !== 1;
  return isWhole ? Buffer.from(text, 'base64url') : undefined;
}

/** The decoded body as text; undefined if it is not encoded, not of a textual media type, or not UTF-8. */
export function decodedText(entry: JsonObject): string | undefined {
  const content = decodedBody(entry);
  if (!content || !isTextual(content.mediaType)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content.bytes);
  } catch {
    return undefined;
  }
}

/** The texts in an entry's body: the body itself or, if it is JSON, the strings inside it. */
export function textsOf(entry: JsonObject): readonly string[] {
  const body = isEncoded(entry) ? decodedText(entry) : entry['body'];
  if (typeof body !== 'string') return leavesOf(body);
  // Old files omit the encoding, even if the body is encoded audio.
  if (isSoundOrImage(entry)) return [];
  const content = parsedText(body) ?? body;
  if (typeof content === 'string') return [content];
  return leavesOf(isDeeperThan(content, mostLevels) ? body : content);
}

function isSoundOrImage(entry: JsonObject): boolean {
  const given = entry['mediatype'] ?? entry['mimetype'];
  const kind = /^\s*(?:audio|video|image)\//i;
  // Tests the raw value first, which is cheap: most entries are neither audio nor images.
  return typeof given === 'string' && kind.test(given) && kind.test(mediaTypeOf(entry));
}

/** The parsed text, if it is a JSON object, list or string. */
export function parsedText(text: string): Json | undefined {
  if (!/^\s*["[{]/.test(text)) return undefined;
  return parsedJson(withoutMark(text));
}

/** All texts in a value, in their order. */
export function leavesOf(value: Json | undefined, leaves: string[] = []): readonly string[] {
  if (typeof value === 'string') leaves.push(value);
  else if (isList(value)) for (const item of value) leavesOf(item, leaves);
  else if (isObject(value)) for (const item of Object.values(value)) leavesOf(item, leaves);
  return leaves;
}
