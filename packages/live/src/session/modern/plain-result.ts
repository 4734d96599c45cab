// A result as 2026-07-28 wants it: the same members, in the same order, as the SDK adds to one that says nothing itself.
import {
  type CacheScope,
  type Implementation,
  type ListResourcesResult,
  type ReadResourceResult,
  SERVER_INFO_META_KEY,
} from '@modelcontextprotocol/server';

type Result = ReadResourceResult | ListResourcesResult;

/** What all plain results of a server end with. */
export class PlainResults {
  readonly #meta: Record<string, unknown>;
  readonly #metaText: string;

  constructor(info: Implementation) {
    this.#meta = { [SERVER_INFO_META_KEY]: info };
    this.#metaText = JSON.stringify(this.#meta);
  }

  /** Undefined where the result has members of its own to be judged: the SDK does that. */
  complete(result: Result): Record<string, unknown> | undefined {
    if (!isPlain(result)) return undefined;
    const { ttlMs = defaultTtl, cacheScope = defaultScope } = result;
    return { ...result, resultType: 'complete', ttlMs, cacheScope, _meta: this.#meta };
  }

  /** The same as JSON. Members are written one by one: the part that is always the same need not be written again. */
  json(result: Result): string | undefined {
    if (!isPlain(result)) return undefined;
    let text = '{';
    for (const key in result) {
      const json = JSON.stringify(result[key]);
      if (json !== undefined) text += `"${key}":${json},`;
    }
    text += '"resultType":"complete"';
    if (result['ttlMs'] === undefined) text += `,"ttlMs":${defaultTtl}`;
    if (result['cacheScope'] === undefined) text += `,"cacheScope":"${defaultScope}"`;
    return `${text},"_meta":${this.#metaText}}`;
  }
}

const defaultTtl = 0;
const defaultScope: CacheScope = 'private';

function isPlain(result: Result): boolean {
  for (const key in result) if (!isPlainMember(key, result[key])) return false;
  return true;
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
    default:
      return false;
  }
}
