// Adapts the result of a read to its caller: caching hints that hold for this caller, no resources that the caller may
// not read, and the requested URI.
import type { ReadResourceResult } from '@modelcontextprotocol/client';
import { type Caller, LiveError } from '@tidings/live';
import { isNode } from '../../access/node-principal.ts';
import type { Permissions } from '../../access/permissions.ts';
import { isAnonymous } from '../../access/token/tokens.ts';
import type { Owned } from '../owner/ownership.ts';

export interface Read {
  caller: Caller;
  owned: Owned;
  permissions: Permissions;
}

/** `requestedUri`: the spelling of the request. */
export function readBy(
  { caller, owned, permissions }: Read,
  requestedUri: string,
  result: ReadResourceResult,
): ReadResourceResult {
  return underName(permitted(withHintsFor(caller, result), owned, permissions), owned, requestedUri);
}

/**
 * Removes caching hints for 2025-era clients. A result that depends on the caller's credentials, which the server does
 * not know, must not be cached publicly.
 */
function withHintsFor(caller: Caller, result: ReadResourceResult): ReadResourceResult {
  if (caller.era === 'legacy') {
    const { ttlMs: _ttlMs, cacheScope: _cacheScope, ...rest } = result;
    return rest;
  }
  // Another node decides this for its own callers.
  const isShared = isAnonymous(caller) || isNode(caller);
  return result['cacheScope'] === 'public' && !isShared ? { ...result, cacheScope: 'private' } : result;
}

/** Removes contents that the caller may not read: a server may answer with other resources than the requested one. */
function permitted(result: ReadResourceResult, owned: Owned, permissions: Permissions): ReadResourceResult {
  const contents = result.contents.filter(({ uri }) => uri === owned.uri || permissions.opens(owned.serverId, uri));
  if (contents.length === result.contents.length) return result;
  if (contents.length > 0) return { ...result, contents };
  const message = 'The server answered with another resource, which your credentials do not allow reading.';
  throw new LiveError('PERMISSION_DENIED', message, owned.uri);
}

/** Replaces the server's spelling by the requested URI. */
function underName(result: ReadResourceResult, { uri }: Owned, requestedUri: string): ReadResourceResult {
  if (uri === requestedUri) return result;
  return {
    ...result,
    contents: result.contents.map((each) => (each.uri === uri ? { ...each, uri: requestedUri } : each)),
  };
}
