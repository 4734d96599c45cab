// An issuer of access tokens that the hub accepts (`oauth.issuers`), and what its tokens grant.
import { hasCredentials, isWebUrl, parsedUrl } from '@tidings/live/portable';
import { z } from 'zod';
import { isSecureUrl } from '../base/secure-url.ts';
import { accessTermsSchema, limits } from './access-terms.ts';

/** RFC 6749, section 3.3. */
const scopeName = /^[\x21\x23-\x5b\x5d-\x7e]+$/;
const scopeText = z
  .string()
  .refine((text) => text.split(' ').every((each) => scopeName.test(each)), 'must be scopes, with one space between two')
  // It asks for a refresh token, which is between a client and its issuer.
  .refine(
    (text) => !text.split(' ').includes('offline_access'),
    'must not have "offline_access", which grants nothing',
  );

const claimValue = z.string().min(1, 'must not be empty');

/**
 * Applies to a token that has all of `scope` and `claims`. The rest are the limits of an entry of `tokens`; unlike there,
 * no tool and no prompt is granted that is not named, so that a forgotten field does not grant everything.
 */
const issuerGrant = z
  .strictObject({
    scope: scopeText.optional(),
    /** The value of each claim; of several, one is enough. A claim that is a list must contain it. */
    claims: z
      .record(z.string(), z.union([claimValue, z.array(claimValue).min(1)], { error: 'must be a text or several' }))
      // Without claims, the entry would apply to every token; an object drops a claim named `__proto__`.
      .refine((claims) => Object.keys(claims).length > 0, 'must name a claim')
      .optional(),
    /** Everything that a token without limits may do. */
    everything: z.literal(true, 'must be true, or left out').optional(),
    ...accessTermsSchema,
  })
  .refine(
    ({ everything, scope: _scope, claims: _claims, ...terms }) => !everything || Object.keys(terms).length === 0,
    {
      path: ['everything'],
      error: 'has no limits: leave them out, or this',
    },
  );

/** As in the rest of the configuration: variables in an address could send secrets to it. */
const writtenOut = 'must be written out: variables are filled in for servers only';

export const issuerEntry = z.strictObject({
  /** The exact `iss` of its tokens, and the address of its metadata. */
  issuer: z.string().superRefine((text, context) => {
    const message = issuerProblem(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  }),
  /** The exact `aud` of tokens for this hub. */
  audience: z
    .string()
    .regex(/^\S+$/, 'must be what the issuer writes into "aud", such as https://tidings.example.com/mcp')
    .refine((text) => !text.includes('${'), writtenOut),
  /** The scopes that clients are told to ask for. Default: those that `grants` name. */
  scopes: z.array(scopeText).optional(),
  /** The first that applies to a token decides. Default: every token may read everything and call nothing. */
  grants: z.array(issuerGrant).min(1, 'must have an entry: without one, no token grants anything').optional(),
  /** The limits of each subject; they override those of the configuration. */
  limits: limits.optional(),
  mentionChanges: z.boolean().optional(),
});

/** What the tokens of an issuer grant that have these scopes and claims. */
export type IssuerGrant = z.infer<typeof issuerGrant>;
/** An issuer of access tokens that the hub accepts. */
export type IssuerEntry = z.infer<typeof issuerEntry>;

function issuerProblem(text: string): string | undefined {
  if (text.includes('${')) return writtenOut;
  const url = parsedUrl(text);
  if (url === undefined || !isWebUrl(url)) return 'must be an address such as https://id.example.com';
  if (!isSecureUrl(url)) return 'must begin with https://, except on this machine';
  if (hasCredentials(url)) return 'must not have a user name or password';
  // RFC 8414: an issuer has neither.
  return /[?#]/.test(text) ? 'must have neither a query nor a fragment' : undefined;
}

/** What is wrong with the entries together, each with its label. */
export function issuerProblems(entries: readonly IssuerEntry[], serverIds: readonly unknown[]): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const [index, { issuer, grants = [] }] of entries.entries()) {
    const label = `oauth.issuers[${index}] ("${issuer}")`;
    if (seen.has(issuer)) problems.push(`${label}: issuer: another entry has it too. Write all its grants into one.`);
    seen.add(issuer);
    for (const [at, grant] of grants.entries()) {
      const { servers = [] } = grant;
      const first = grants.findIndex((earlier, place) => place < at && includes(earlier, grant));
      if (first !== -1) {
        const words = `is never used, because grants.${first} applies to each of its tokens too, and the first decides`;
        problems.push(`${label}: grants.${at}: ${words}. Write it before that one.`);
      }
      for (const [place, id] of servers.entries()) {
        if (serverIds.includes(id)) continue;
        problems.push(`${label}: grants.${at}.servers.${place}: there is no server "${id}". Name one by its id.`);
      }
    }
  }
  return problems;
}

/** Whether a grant applies to every token to which another one applies. */
function includes(wide: IssuerGrant, narrow: IssuerGrant): boolean {
  const scopes = narrow.scope?.split(' ') ?? [];
  const claims = new Map(Object.entries(narrow.claims ?? {}));
  return (
    (wide.scope ?? '').split(' ').every((each) => each === '' || scopes.includes(each)) &&
    Object.entries(wide.claims ?? {}).every(([name, values]) => {
      const wanted = [claims.get(name) ?? []].flat();
      return wanted.length > 0 && wanted.every((value) => [values].flat().includes(value));
    })
  );
}
