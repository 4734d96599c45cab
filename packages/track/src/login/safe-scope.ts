// Cleans scopes from a server, because they are sent on, stored and shown.

const mostScopes = 50;
const scopePattern = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/;

/** Removes everything that is not a scope by RFC 6749; undefined if nothing is left. */
export function safeScope(scope: string | undefined): string | undefined {
  const scopes = (scope ?? '').split(' ').filter((each) => scopePattern.test(each));
  return [...new Set(scopes)].slice(0, mostScopes).join(' ') || undefined;
}
