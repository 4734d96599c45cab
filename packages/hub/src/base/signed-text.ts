// Signatures of texts that a client keeps for the hub and sends back: states, task ids, browser sessions.
import { createHmac } from 'node:crypto';
import { isSameSecret } from '@tidings/live/internal';

/** As base64url: 43 characters. */
export function signatureOf(text: string, key: Buffer): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

export function isSignature(given: string, text: string, key: Buffer): boolean {
  return isSameSecret(given, signatureOf(text, key));
}
