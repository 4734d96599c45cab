// Signs outgoing webhooks as specified by Standard Webhooks (https://www.standardwebhooks.com), so that receivers can
// verify them with any of its libraries.
import { createHmac } from 'node:crypto';

/** The bytes of a signing key. */
export type WebhookKey = Uint8Array;

interface WebhookMessage {
  /** The id of a message, the same for every attempt to send it, so that receivers can recognise a repetition. */
  id: string;
  /** The time of this attempt, in milliseconds since the epoch. */
  at: number;
  /** The exact body of the request. */
  body: string;
}

const prefix = 'whsec_';
const fewestBytes = 24;
const mostBytes = 64;

/**
 * Parses a secret in the format that receivers use: `whsec_` and 24 to 64 bytes in base64. The TypeError for an invalid
 * one does not quote it.
 */
export function webhookKey(secret: string): WebhookKey {
  const key = bytesOf(secret);
  if (key.length >= fewestBytes && key.length <= mostBytes) return key;
  throw new TypeError(
    `The secret of a webhook is ${prefix} and ${fewestBytes} to ${mostBytes} random bytes in base64. ` +
      `This makes one: echo "${prefix}$(openssl rand -base64 32)"`,
  );
}

/** Parses a secret of any length, for receivers that chose one which is shorter or longer than the format allows. */
export function webhookKeyOfAnyLength(secret: string): WebhookKey {
  const key = bytesOf(secret);
  if (key.length > 0) return key;
  throw new TypeError(`The secret of a webhook must be base64, with or without ${prefix} before it.`);
}

/** Empty if the secret is not base64. */
function bytesOf(secret: string): Buffer {
  const text = secret.trim();
  const encoded = text.startsWith(prefix) ? text.slice(prefix.length) : text;
  return /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.alloc(0);
}

/**
 * The headers of one attempt. With several keys (while a secret is being replaced) there is one signature for each;
 * receivers accept the message if any of them verifies.
 */
export function webhookHeaders(
  { id, at, body }: WebhookMessage,
  keys: readonly WebhookKey[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(at / 1000));
  const signatures = keys.map((key) => {
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
