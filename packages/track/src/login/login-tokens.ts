// Converts the answer of a token endpoint to the stored form.
import { isHeaderToken } from '@tidings/live/internal';
import type { OAuthTokens } from '@modelcontextprotocol/client';
import type { LoginTokens } from './stored-login.ts';

/** A token is renewed this long before it expires, or a fifth of its lifetime before if that is shorter. */
const earlyMs = 30_000;
const earlyPart = 1 / 5;

/** A longer lifetime counts as this one. */
const longestMs = 10 * 365 * 24 * 3600 * 1000;

export function loginTokens(
  { access_token: accessToken, refresh_token: refreshToken, scope, expires_in: seconds }: OAuthTokens,
  { issuer, now, requestedScope }: { issuer: string; now: number; requestedScope?: string | undefined },
): LoginTokens {
  if (!isHeaderToken(accessToken)) throw new Error('The authorization server gave a token that cannot be sent.');
  const granted = scope ?? requestedScope;
  return {
    accessToken,
    issuer,
    obtainedAt: now,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(granted !== undefined && { scope: granted }),
    // Without a positive lifetime, a token counts as valid until the server rejects it: otherwise it would be renewed
    // at every request.
    ...(seconds !== undefined && seconds > 0 && { expiresAt: now + Math.min(seconds * 1000, longestMs) }),
  };
}

export function isExpired({ expiresAt = Number.POSITIVE_INFINITY }: LoginTokens, now: number): boolean {
  return now >= expiresAt;
}

export function isExpiring({ obtainedAt, expiresAt }: LoginTokens, now: number): boolean {
  if (expiresAt === undefined) return false;
  return now >= expiresAt - Math.min(earlyMs, (expiresAt - obtainedAt) * earlyPart);
}
