// What a `read` may return, and how it becomes MCP resource contents.
import {
  type BlobResourceContents,
  type CacheScope,
  type ReadResourceResult,
  type TextResourceContents,
  isSpecType,
} from '@modelcontextprotocol/server';
import { toBase64 } from '../base/base64.ts';
import { aJsonObject, aList, aText, checkOptions, checkValue, milliseconds, oneOf } from '../base/check-options.ts';
import { LiveError } from '../base/error.ts';
import { jsonOf } from '../base/json-of.ts';
import { isObject } from '../portable/is-object.ts';

/** How long clients may cache what they read. Default: not at all. */
export interface CacheRule {
  /** How long a client may reuse the answer, unless a notification makes it stale. Default: 0. */
  ttlMs?: number;
  /** Whether a cache shared by several callers may keep the answer. Default: `'private'`. */
  cacheScope?: CacheScope;
}

/** Metadata of contents. */
export interface ContentOptions {
  /**
   * Default: the route's; else `text/plain`, `application/octet-stream` or `application/json`, depending on the value.
   */
  mimeType?: string | undefined;
  /** The URI of one of several contents. Default: the URI that was read. */
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
 * Contents with their own MIME type or URI. Default: those of the route and the read.
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

/** Strings become text, bytes a blob, `Content` and `Contents` what they hold, and other values JSON. */
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

/** Whether `read` returned a result in the SDK's form, and not data that happens to have a `contents` member. */
function isSdkResult(value: unknown): value is ReadResourceResult {
  if (!isObject(value) || !Array.isArray(value['contents'])) return false;
  const isContent = (each: unknown) => isSpecType.TextResourceContents(each) || isSpecType.BlobResourceContents(each);
  return Object.keys(value).every((key) => resultKeys.has(key)) && value['contents'].every(isContent);
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
  // Undefined, functions and symbols have no JSON: the resource counts as not found.
  if (text === undefined) throw new LiveError('RESOURCE_NOT_FOUND', 'No such resource.', uri);
  return { uri, mimeType: mimeType ?? 'application/json', text };
}

function bytesOf(value: unknown): Uint8Array | undefined {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : undefined;
}
