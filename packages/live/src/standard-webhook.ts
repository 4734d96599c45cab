// Signs outgoing webhooks as Standard Webhooks (https://www.standardwebhooks.com) asks for it: receivers verify
// them with any library for it.
import { createHmac } from 'node:crypto';

/** The bytes a message is signed with. */
export type WebhookKey = Uint8Array;

export interface WebhookMessage {
  /** The same for every attempt to send it: receivers use it to notice repetitions. */
  id: string;
  /** Milliseconds since the epoch, of this attempt. */
  at: number;
  /** Exactly what is sent. */
  body: string;
}

const prefix = 'whsec_';
const fewestBytes = 24;
const mostBytes = 64;

/** Reads a secret as receivers know it: `whsec_` and 24 to 64 bytes in base64. Throws a TypeError without its text. */
export function webhookKey(secret: string): WebhookKey {
  const text = secret.trim();
  const encoded = text.startsWith(prefix) ? text.slice(prefix.length) : text;
  const key = /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.alloc(0);
  if (key.length >= fewestBytes && key.length <= mostBytes) return key;
  throw new TypeError(
    `The secret of a webhook is ${prefix} and ${fewestBytes} to ${mostBytes} random bytes in base64. ` +
      `This makes one: echo "${prefix}$(openssl rand -base64 32)"`,
  );
}

/** The headers of one attempt. With several keys, as while a secret is replaced, one that verifies is enough. */
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
