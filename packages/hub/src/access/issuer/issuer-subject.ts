// The name of a principal with an access token: `https://id.example.com#ada`. No other principal has such a name, and
// no two owners of tokens share one, because an issuer contains no `#`.

/** `grant`: the place of the grant that applies, where an issuer has several. */
export function issuerSubject(issuer: string, owner: string, grant: number | undefined): string {
  // Tokens of one owner with different grants are different principals: neither can use sessions, tasks and questions
  // of the other.
  return grant === undefined ? `${issuer}#${owner}` : `${issuer}#${owner} (grants.${grant})`;
}

/** Undefined for the name of any other principal. */
export function issuerOfSubject(subject: string): string | undefined {
  return /^https?:\/\/[^#]+(?=#)/.exec(subject)?.[0];
}
