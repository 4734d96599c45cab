// The result of a read as its caller gets it: with hints about caching that hold for this caller, without resources that
// it may not read, under the URI that it asked for.
import type { ReadResourceResult } from '@modelcontextprotocol/client';
import { type Caller, LiveError } from '@tidings/live';
import { isNode } from '../access/node-principal.ts';
import type { Permissions } from '../access/permissions.ts';
import { isAnonymous } from '../access/tokens.ts';
import type { Owned } from './ownership.ts';

export interface Read {
  caller: Caller;
  owned: Owned;
  permissions: Permissions;
}

/** `asked`: the URI that the caller asked for. */
export function readBy(
  { caller, owned, permissions }: Read,
  asked: string,
  result: ReadResourceResult,
): ReadResourceResult {
  return underName(permitted(withHintsFor(caller, result), owned, permissions), owned, asked);
}

/**
 * What a server says of caching is for modern clients. A result that depends on the caller's credentials, which the
 * server does not know, must not be cached publicly.
 */
function withHintsFor(caller: Caller, result: ReadResourceResult): ReadResourceResult {
  if (caller.era === 'legacy') {
    const { ttlMs: _ttlMs, cacheScope: _cacheScope, ...rest } = result;
    return rest;
  }
  // Another node decides that for its own callers.
  const isShared = isAnonymous(caller) || isNode(caller);
  return result['cacheScope'] === 'public' && !isShared ? { ...result, cacheScope: 'private' } : result;
}

/** A server may answer with other resources than the requested one. */
function permitted(result: ReadResourceResult, owned: Owned, permissions: Permissions): ReadResourceResult {
  const contents = result.contents.filter(({ uri }) => uri === owned.uri || permissions.opens(owned.serverId, uri));
  if (contents.length === result.contents.length) return result;
  if (contents.length > 0) return { ...result, contents };
  const message = 'The server answered with another resource, which your credentials do not allow reading.';
  throw new LiveError('PERMISSION_DENIED', message, owned.uri);
}

/** Contents carry the URI that the caller requested. */
function underName(result: ReadResourceResult, { uri }: Owned, asked: string): ReadResourceResult {
  if (uri === asked) return result;
  return { ...result, contents: result.contents.map((each) => (each.uri === uri ? { ...each, uri: asked } : each)) };
}
