// Digests: short names for texts, and secrets that are compared.
import { type BinaryToTextEncoding, createHash, hash, timingSafeEqual } from 'node:crypto';

/** The SHA-256 of a text or of bytes. */
export function digestOf(content: string | Uint8Array, encoding: BinaryToTextEncoding = 'base64url'): string {
  return hash('sha256', content, encoding);
}

/** The digest of a secret, for `isSameSecret`. */
export function secretDigest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/**
 * Whether a secret is the own one, which may be given as its digest. Takes the same time for every wrong one: digests
 * are compared, which have the same length, so not even the length of the own one is revealed.
 */
export function isSameSecret(given: string | Buffer, own: string | Buffer): boolean {
  return timingSafeEqual(asDigest(given), asDigest(own));
}

function asDigest(secret: string | Buffer): Buffer {
  return typeof secret === 'string' ? secretDigest(secret) : secret;
}
