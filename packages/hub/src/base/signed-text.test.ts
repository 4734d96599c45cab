import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isSignature, signatureOf } from './signed-text.ts';

const key = Buffer.from('key');

describe('a signature', () => {
  it('is an HMAC with SHA-256, so that nodes of another version accept it', () => {
    expect(signatureOf('text', key)).toBe(createHmac('sha256', key).update('text').digest('base64url'));
  });

  it('is accepted for its text and its key only', () => {
    const signature = signatureOf('text', key);
    expect(isSignature(signature, 'text', key)).toBe(true);
    expect(isSignature(signature, 'other', key)).toBe(false);
    expect(isSignature(signature, 'text', Buffer.from('other'))).toBe(false);
  });

  it.each(['', 'x', signatureOf('text', key).slice(1), `${signatureOf('text', key)}=`])('is not %j', (given) => {
    expect(isSignature(given, 'text', key)).toBe(false);
  });
});
