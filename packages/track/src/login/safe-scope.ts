// Scopes as a server asks for them: text of others, which is sent on, stored and shown.

const mostScopes = 50;
const scopePattern = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/;

/** Without what is no scope by RFC 6749; undefined if nothing is left. */
export function safeScope(scope: string | undefined): string | undefined {
  const scopes = (scope ?? '').split(' ').filter((each) => scopePattern.test(each));
  return [...new Set(scopes)].slice(0, mostScopes).join(' ') || undefined;
}
