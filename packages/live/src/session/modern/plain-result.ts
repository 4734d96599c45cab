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
  readonly #info: () => Implementation;
  #written: { info: Implementation; meta: Record<string, unknown>; text: string } | undefined;

  constructor(info: () => Implementation) {
    this.#info = info;
  }

  /** Undefined where the result has members of its own to be judged: the SDK does that. */
  complete(result: Result): Record<string, unknown> | undefined {
    if (!isPlain(result)) return undefined;
    const complete: Record<string, unknown> = {};
    // Up to Node 20, every member that a literal has after a spread takes a microsecond.
    for (const key in result) complete[key] = result[key];
    complete['resultType'] = 'complete';
    complete['ttlMs'] ??= defaultTtl;
    complete['cacheScope'] ??= defaultScope;
    complete['_meta'] = this.#metaOf(result);
    return complete;
  }

  /** The same as JSON. Members are written one by one: the part that is always the same need not be written again. */
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

  /** A gateway passes on what another server said, and who that was. */
  #metaOf({ _meta }: Result): Record<string, unknown> {
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
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return false;
  }
}
