// Access tokens in the Authorization header.

/** Whether a header can carry the token. The runtime would refuse other tokens too, but quote them in its error. */
export function isHeaderToken(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}

/** The token that a request carries. */
export function bearerTokenOf({ headers }: { headers: { authorization?: string | undefined } }): string | undefined {
  return /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
}
