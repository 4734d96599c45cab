import { expect, test } from 'vitest';
import { webhookHeaders, webhookKey, webhookKeyOfAnyLength } from './standard-webhook.ts';

// The example that implementations of Standard Webhooks are compared with.
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', at: 1_614_265_330_000, body: '{"test": 2432232314}' };
const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

test('signs as receivers verify it', () => {
  expect(webhookHeaders(message, [webhookKey(secret)])).toEqual({
    'webhook-id': message.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': signature,
  });
});

test('signs once with each key', () => {
  const other = webhookKey(Buffer.alloc(32, 7).toString('base64'));
  const signatures = webhookHeaders(message, [other, webhookKey(secret)])['webhook-signature'].split(' ');
  expect(signatures).toHaveLength(2);
  expect(signatures[1]).toBe(signature);
});

test.each(['', 'whsec_', 'whsec_c2hvcnQ=', 'whsec_not base64 at all, but long enough to be one', 'x'.repeat(200)])(
  'refuses the secret %o, without repeating it',
  (bad) => {
    expect(() => webhookKey(bad)).toThrow(/whsec_ and 24 to 64 random bytes/);
    expect(() => webhookKey(bad)).not.toThrow(/at all|xxx|c2hvcnQ/);
  },
);

test('a secret may have any length where receivers choose it', () => {
  expect(webhookKeyOfAnyLength(secret)).toEqual(webhookKey(secret));
  for (const text of ['whsec_c2hvcnQ=', 'c2hvcnQ=', 'c2hvcnQ']) {
    expect(Buffer.from(webhookKeyOfAnyLength(text)).toString()).toBe('short');
  }
  for (const bad of ['', 'whsec_', 'not base64!', 'c2hv=cnQ']) {
    expect(() => webhookKeyOfAnyLength(bad)).toThrow(/must be base64/);
  }
});
