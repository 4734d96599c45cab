// Any web address, called according to Standard Webhooks (https://www.standardwebhooks.com): the id is the same for
// every attempt, and the signature covers id, time and body.
import { LiveError, systemClock } from '@tidings/live';
import { type WebhookKey, webhookHeaders, webhookKeyOfAnyLength } from '@tidings/live/internal';
import { type Destination, type Push, repeatTag } from './destination.ts';
import { httpAddress } from './http-address.ts';
import { type PostOptions, post } from './http-post.ts';

interface WebhookDestinationOptions extends PostOptions {
  url: string;
  /** Base64, with or without the prefix `whsec_`. */
  secret: string;
}

const example = 'https://example.com/hooks/tidings';

export function webhookDestination(options: WebhookDestinationOptions): Destination {
  const { clock = systemClock } = options;
  const url = httpAddress('The address of a webhook', options.url, example);
  const key = keyOf(options.secret);
  return {
    kind: 'webhook',
    // Without path and query, which may be secret.
    words: `webhook at ${url.origin}`,
    send: async (push) => {
      const body = bodyOf(push);
      const signature = webhookHeaders({ id: push.id, at: clock.date(), body }, [key]);
      const headers = { 'content-type': 'application/json', ...signature };
      await post({ url, headers, body, receiver: url.host, adviceFor }, options);
    },
  };
}

function keyOf(secret: string): WebhookKey {
  try {
    return webhookKeyOfAnyLength(secret);
  } catch {
    throw new LiveError(
      'INVALID_PARAMS',
      'The secret of a webhook must be base64, such as whsec_ and the output of "openssl rand -base64 32".',
    );
  }
}

function bodyOf({ id: _id, at, tags, ...push }: Push): string {
  const isRepeat = tags?.includes(repeatTag);
  const data = { ...push, ...(tags && { tags }), ...(isRepeat && { again: true }) };
  return JSON.stringify({ type: 'notification', timestamp: new Date(at).toISOString(), data });
}

function adviceFor(status: number): string {
  if (status === 401 || status === 403) return 'check that the receiver has the same secret';
  if (status === 404 || status === 405 || status === 410) return 'check the address, the receiver is not there';
  if (status >= 300 && status < 400) return 'it has moved, correct the address';
  return '';
}
