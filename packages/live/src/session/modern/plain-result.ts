// Completes a result as 2026-07-28 requires: adds the members that the SDK would add, in the same order.
import {
  type CacheScope,
  type CallToolResult,
  type Implementation,
  type InputRequiredResult,
  type ListResourcesResult,
  type ReadResourceResult,
  SERVER_INFO_META_KEY,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import { isObject } from '../../portable/is-object.ts';
import { jsonOf } from '../../base/json-of.ts';

type Result = ReadResourceResult | ListResourcesResult;

/** The members that all plain results of a server end with. */
export class PlainResults {
  readonly #info: () => Implementation;
  #written: { info: Implementation; meta: Record<string, unknown>; text: string } | undefined;

  constructor(info: () => Implementation) {
    this.#info = info;
  }

  /** Undefined if the result has members that the SDK must validate. */
  complete(result: Result): Record<string, unknown> | undefined {
    if (!isPlain(result)) return undefined;
    const complete: Record<string, unknown> = {};
    // Up to Node 20, every member after a spread in a literal takes a microsecond.
    for (const key in result) complete[key] = result[key];
    complete['resultType'] = 'complete';
    complete['ttlMs'] ??= defaultTtl;
    complete['cacheScope'] ??= defaultScope;
    complete['_meta'] = this.#metaOf(result);
    return complete;
  }

  /** The same as JSON. Members are written one by one, so that the constant part is not encoded again. */
  json(result: Result): string | undefined {
    if (!isPlain(result)) return undefined;
    let text = '{';
    for (const key in result) {
      const json = JSON.stringify(key === '_meta' ? this.#metaOf(result) : result[key]);
      if (json !== undefined) text += `"${key}":${json},`;
    }
    text += '"resultType":"complete"';
    if (result['ttlMs'] === undefined) text += `,"ttlMs":${defaultTtl}`;
    if (result['cacheScope'] === undefined) text += `,"cacheScope":"${defaultScope}"`;
    return '_meta' in result ? `${text}}` : `${text},"_meta":${this.#own().text}}`;
  }

  /** A tool's result as JSON, in the SDK's order; undefined if the SDK must validate it. */
  callJson(
    result: CallToolResult | InputRequiredResult,
    output: StandardSchemaWithJSON | undefined,
  ): string | undefined {
    if (!isPlainCallResult(result) || !isAsPromised(result, output)) return undefined;
    const { _meta, content, structuredContent, isError } = result;
    const structured = structuredContent === undefined ? undefined : jsonOf(structuredContent);
    if (structuredContent !== undefined && structured === undefined) return undefined;
    const meta = _meta === undefined ? this.#own().text : JSON.stringify(this.#metaOf(result));
    let text = _meta === undefined ? '{' : `{"_meta":${meta},`;
    text += `"content":${JSON.stringify(content)}`;
    if (structured !== undefined) text += `,"structuredContent":${structured}`;
    if (isError !== undefined) text += `,"isError":${isError}`;
    text += ',"resultType":"complete"';
    return _meta === undefined ? `${text},"_meta":${meta}}` : `${text}}`;
  }

  /** The result of another server, with all its members. */
  passedJson(result: Readonly<Record<string, unknown>>): string {
    let text = '{';
    for (const key in result) {
      const json = key === '_meta' || key === 'resultType' ? undefined : JSON.stringify(result[key]);
      if (json !== undefined) text += `${JSON.stringify(key)}:${json},`;
    }
    const { _meta } = result;
    const meta = _meta === undefined ? this.#own().text : JSON.stringify(this.#metaOf({ _meta: { ...Object(_meta) } }));
    return `${text}"resultType":"complete","_meta":${meta}}`;
  }

  /** A gateway keeps the `_meta` of the server behind it, including that server's name. */
  #metaOf({ _meta }: Pick<Result, '_meta'>): Record<string, unknown> {
    if (_meta === undefined) return this.#own().meta;
    return _meta[SERVER_INFO_META_KEY] === undefined ? { ..._meta, ...this.#own().meta } : _meta;
  }

  #own(): { meta: Record<string, unknown>; text: string } {
    const info = this.#info();
    if (this.#written?.info === info) return this.#written;
    const meta = { [SERVER_INFO_META_KEY]: info };
    this.#written = { info, meta, text: JSON.stringify(meta) };
    return this.#written;
  }
}

const defaultTtl = 0;
const defaultScope: CacheScope = 'private';

function isPlain(result: Result): boolean {
  for (const key in result) if (!isPlainMember(key, result[key])) return false;
  return true;
}

function isPlainCallResult(result: CallToolResult | InputRequiredResult): result is CallToolResult {
  for (const key in result) if (!isPlainCallMember(key, result[key])) return false;
  return 'content' in result;
}

/** Whether the structured content matches the tool's `output`; otherwise the SDK turns the result into a failure. */
function isAsPromised(
  { structuredContent, isError }: CallToolResult,
  output: StandardSchemaWithJSON | undefined,
): boolean {
  if (output === undefined || isError === true) return true;
  if (structuredContent === undefined) return false;
  const checked = output['~standard'].validate(structuredContent);
  return !(checked instanceof Promise) && checked.issues === undefined;
}

function isPlainCallMember(key: string, value: unknown): boolean {
  switch (key) {
    case 'content':
      return Array.isArray(value);
    case 'structuredContent':
      return value !== undefined;
    case 'isError':
      return typeof value === 'boolean';
    case 'resultType':
      return value === 'complete';
    case '_meta':
      return isObject(value);
    default:
      return false;
  }
}

function isPlainMember(key: string, value: unknown): boolean {
  switch (key) {
    case 'contents':
    case 'resources':
    case 'nextCursor':
      return true;
    case 'ttlMs':
      return Number.isSafeInteger(value) && Number(value) >= 0;
    case 'cacheScope':
      return value === 'public' || value === 'private';
    case '_meta':
      return isObject(value);
    default:
      return false;
  }
}
