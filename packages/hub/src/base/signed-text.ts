// Signatures of texts that a client keeps for the hub and sends back: states, task ids, browser sessions.
import { createHmac, timingSafeEqual } from 'node:crypto';

/** As base64url: 43 characters. */
export function signatureOf(text: string, key: Buffer): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

/** Takes the same time for every wrong signature. */
export function isSignature(given: string, text: string, key: Buffer): boolean {
  const [actual, expected] = [Buffer.from(given), Buffer.from(signatureOf(text, key))];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
