// The session that a browser keeps in place of a token: an expiry, an id by which it can be revoked, and a signature
// with a key derived from the token. So the session ends with the token, survives a restart of the hub, and cannot be
// forged.
import { createHmac } from 'node:crypto';
import { isSignature, signatureOf } from '../../base/signed-text.ts';

export const sessionLifeMs = 30 * 24 * 60 * 60_000;

export interface BrowserSession {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export function browserSessionKey(token: string): Buffer {
  return createHmac('sha256', token).update('the sessions of browsers').digest();
}

export function signed({ id, expiresAt }: BrowserSession, key: Buffer): string {
  const claim = `${expiresAt.toString(36)}.${id}`;
  return `${claim}.${signatureOf(claim, key)}`;
}

/** Parses a session without verifying it; `isSigned` verifies. */
export function parsedSession(
  value: string,
): (BrowserSession & { isSigned(this: void, key: Buffer): boolean }) | undefined {
  const [, claim = '', end = '', id = '', mac = ''] = /^((\w{1,11})\.([\w-]{1,64}))\.([\w-]{43})$/.exec(value) ?? [];
  if (claim === '') return undefined;
  return {
    id,
    expiresAt: Number.parseInt(end, 36),
    isSigned: (key) => isSignature(mac, claim, key),
  };
}
