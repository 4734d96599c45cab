// What a `read` may return, and how it becomes MCP resource contents.
import {
  type BlobResourceContents,
  type CacheScope,
  type ReadResourceResult,
  type TextResourceContents,
  isSpecType,
} from '@modelcontextprotocol/server';
import { toBase64 } from '../base64.ts';
import { aJsonObject, aList, aText, checkOptions, checkValue, milliseconds, oneOf } from '../check-options.ts';
import { LiveError } from '../error.ts';
import { jsonOf } from '../json-of.ts';

/** How long clients may keep what they read. Default: not at all. */
export interface CacheRule {
  /** How long a client may reuse the answer; a notification makes it stale at once. Default: 0. */
  ttlMs?: number;
  /** Whether a cache that callers share may keep it. Default: `'private'`. */
  cacheScope?: CacheScope;
}

/** What is said of contents besides the contents. */
export interface ContentOptions {
  /** Default: the route's, else `text/plain`, `application/octet-stream` or `application/json`, by the value. */
  mimeType?: string | undefined;
  /** For one of several contents: its own URI. Default: the one that was read. */
  uri?: string;
  /** Default: none. */
  _meta?: Record<string, unknown>;
}

const contentChecks = { mimeType: aText, uri: aText, _meta: aJsonObject };
export const cacheChecks = { ttlMs: milliseconds, cacheScope: oneOf('public', 'private') };

/** One content with its own MIME type or `_meta`; made by `content()`. */
export class Content {
  readonly value: unknown;
  readonly options: ContentOptions;

  constructor(value: unknown, options: ContentOptions) {
    this.value = value;
    this.options = options;
  }
}

/** Several contents, or contents with a cache rule of their own; made by `contents()`. */
export class Contents {
  readonly items: readonly unknown[];
  readonly cache: CacheRule;

  constructor(items: readonly unknown[], cache: CacheRule) {
    this.items = items;
    this.cache = cache;
  }
}

/**
 * Contents with a type or a URI of their own. Default: as `read` returned them.
 *
 * @example
 * read: () => content(svg, { mimeType: 'image/svg+xml' })
 */
export function content(value: unknown, options: ContentOptions = {}): Content {
  checkOptions('content()', options, contentChecks);
  return new Content(value, options);
}

/**
 * Several contents for one read.
 *
 * @example
 * read: () => contents([content('one'), content('two')])
 */
export function contents(items: readonly unknown[], cache: CacheRule = {}): Contents {
  checkValue('What contents() is given', items, aList);
  checkOptions('contents()', cache, cacheChecks);
  return new Contents(items, cache);
}

/** A string is text, bytes are a blob, `Content` and `Contents` speak for themselves, the rest is JSON. */
export function toReadResult(
  value: unknown,
  uri: string,
  mimeType: string | undefined,
  cache: CacheRule,
): ReadResourceResult {
  if (isSdkResult(value)) return { ...cached(cache), ...sendable(value) };
  const whole = value instanceof Contents ? value : new Contents([value], {});
  return {
    contents: whole.items.map((item) => toContents(item, uri, mimeType)),
    ...cached(cache),
    ...cached(whole.cache),
  };
}

function cached({ ttlMs, cacheScope }: CacheRule): CacheRule {
  return { ...(ttlMs !== undefined && { ttlMs }), ...(cacheScope !== undefined && { cacheScope }) };
}

function sendable(result: ReadResourceResult): ReadResourceResult {
  for (const { _meta } of [result, ...result.contents]) {
    if (_meta !== undefined) checkValue('The _meta of a read', _meta, aJsonObject);
  }
  return result;
}

const resultKeys = new Set(['contents', '_meta', 'ttlMs', 'cacheScope', 'resultType']);

/** Whether this is what a read written for the SDK returns. Data that has `contents` of its own looks different. */
function isSdkResult(value: unknown): value is ReadResourceResult {
  if (typeof value !== 'object' || value === null || !('contents' in value) || !Array.isArray(value.contents))
    return false;
  const isContent = (each: unknown) => isSpecType.TextResourceContents(each) || isSpecType.BlobResourceContents(each);
  return Object.keys(value).every((key) => resultKeys.has(key)) && value.contents.every(isContent);
}

function toContents(
  item: unknown,
  routeUri: string,
  routeType: string | undefined,
): TextResourceContents | BlobResourceContents {
  if (!(item instanceof Content)) return contentsOf(item, routeUri, routeType);
  const { uri = routeUri, mimeType = routeType, _meta } = item.options;
  const made = contentsOf(item.value, uri, mimeType);
  return _meta === undefined ? made : { ...made, _meta };
}

function contentsOf(
  value: unknown,
  uri: string,
  mimeType: string | undefined,
): TextResourceContents | BlobResourceContents {
  if (typeof value === 'string') return { uri, mimeType: mimeType ?? 'text/plain', text: value };
  const bytes = bytesOf(value);
  if (bytes) return { uri, mimeType: mimeType ?? 'application/octet-stream', blob: toBase64(bytes) };
  const text = jsonOf(value);
  // undefined, functions and symbols have no JSON: the read found nothing to return.
  if (text === undefined) throw new LiveError('RESOURCE_NOT_FOUND', 'No such resource.', uri);
  return { uri, mimeType: mimeType ?? 'application/json', text };
}

function bytesOf(value: unknown): Uint8Array | undefined {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : undefined;
}
