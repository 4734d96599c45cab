// Reads an access token in the form of a JWT (RFC 9068) without verifying it: its issuer, and the checks that are cheap
// enough to come before the signature. Keys or addresses in its header (`jku`, `x5u`, `jwk`) are ignored.
import type { Clock } from '@tidings/live';
import { parsedJson } from '@tidings/live/portable';
import { z } from 'zod';
import { TokenRefused } from './token-refused.ts';

const longestToken = 16 * 1024;
/** The largest difference between the clocks of issuer and hub. */
export const toleranceSeconds = 60;
/** Asymmetric algorithms only: with HMAC, the issuer's public key could serve as the secret. */
export const acceptedAlgorithms: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** Excludes tokens for other purposes, such as `logout+jwt`. Many issuers write `JWT`, or omit the type. */
const acceptedType = /^(?:application\/)?(?:at\+)?jwt$/i;

const jwt = /^[\w-]+\.[\w-]+\.[\w-]*$/;
const headerSchema = z.looseObject({ alg: z.string(), kid: z.string().optional(), typ: z.string().optional() });
const seconds = z.number().min(0).max(8.64e12);
const claimsSchema = z.looseObject({
  iss: z.string(),
  // Identifies the caller in the audit log, so it must not look like another caller's name: see issuer-subject.ts.
  sub: z.string().regex(/^(?!.* \(grants\.\d+\)$)[^\p{C}\p{Zl}\p{Zp}]{1,255}$/u),
  aud: z.union([z.string().transform((one) => [one]), z.array(z.string())]),
  exp: seconds,
  nbf: seconds.optional(),
});
const issuedSchema = z.looseObject({ iss: z.string() });

export type TokenClaims = z.infer<typeof claimsSchema>;

export interface AccessToken {
  readonly header: z.infer<typeof headerSchema>;
  readonly claims: TokenClaims;
}

/** The issuer that a token names; undefined if it is not a JWT. */
export function namedIssuer(token: string): string | undefined {
  if (!token.includes('.') || token.length > longestToken || !jwt.test(token)) return undefined;
  return issuedSchema.safeParse(partOf(token, 1)).data?.iss;
}

/** Throws `TokenRefused` for a token that is not acceptable even with a valid signature. */
export function readAccessToken(token: string, clock: Clock): AccessToken {
  const header = headerSchema.safeParse(partOf(token, 0)).data;
  if (header === undefined) throw invalid('It has no readable header.');
  const { alg, typ } = header;
  if (!acceptedAlgorithms.includes(alg)) throw invalid('Its algorithm is not accepted: use RS256, ES256 or EdDSA.');
  if (typ !== undefined && !acceptedType.test(typ)) {
    throw invalid('Its type is another one than "at+jwt" or "JWT".');
  }
  const { data: claims, error } = claimsSchema.safeParse(partOf(token, 1));
  if (claims === undefined) {
    const [name] = error.issues[0]?.path ?? [];
    throw invalid(`Its claim "${String(name)}" is missing or not valid.`);
  }
  // Accepting it without a check of that key would let a thief use it.
  if ('cnf' in claims) throw invalid('It is bound to a key (DPoP or mTLS), which the hub does not check.');
  const now = clock.date() / 1000;
  if (claims.exp <= now) throw invalid('It has expired.');
  if ((claims.nbf ?? 0) > now + toleranceSeconds) throw invalid('It is not valid yet.');
  return { header, claims };
}

/** The claims of a token whose signature was verified. */
export function verifiedClaims(payload: unknown): TokenClaims {
  return claimsSchema.parse(payload);
}

/** The scopes of a token, in the forms that issuers use. */
export function scopesOf({ scope, scp }: Readonly<Record<string, unknown>>): string[] {
  return [scope, scp]
    .flat()
    .filter((each) => typeof each === 'string')
    .flatMap((each) => each.split(' '))
    .filter(Boolean);
}

export function invalid(reason: string): TokenRefused {
  return new TokenRefused('invalid_token', `This access token is not valid here. ${reason}`);
}

function partOf(token: string, index: number): unknown {
  return parsedJson(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString('utf8'));
}
