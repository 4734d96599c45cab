// Finds a resource in the audit log however its URI was written by those who asked for it: as an address of the
// gateway, with escapes that need not be there, with capitals in its scheme.

/** `wanted`: a URI, or a beginning followed by `*`. */
export function uriMatcher(wanted: string): (uri: string) => boolean {
  const isBeginning = wanted.endsWith('*');
  const plain = plainSpelling(isBeginning ? wanted.slice(0, -1) : wanted);
  return (uri) => {
    const spelling = plainSpelling(uri);
    return isBeginning ? spelling.startsWith(plain) : spelling === plain;
  };
}

function plainSpelling(uri: string): string {
  return decoded(innerUri(uri)).replace(/^[A-Za-z][A-Za-z0-9+.-]*:/, (scheme) => scheme.toLowerCase());
}

/** Of `tidings://{serverId}/{percent-encoded URI}` what the server calls it. */
function innerUri(uri: string): string {
  const inner = /^tidings:\/\/[^/]+\/(.+)$/is.exec(uri)?.[1];
  return inner === undefined ? uri : decoded(inner);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
