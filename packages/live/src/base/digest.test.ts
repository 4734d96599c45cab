import { expect, it } from 'vitest';
import { digestOf, isSameSecret, secretDigest } from './digest.ts';

it('a digest is SHA-256', () => {
  expect(digestOf('abc', 'hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(digestOf(Buffer.from('abc'))).toBe(Buffer.from(digestOf('abc', 'hex'), 'hex').toString('base64url'));
});

it('secrets are compared as texts or by their digests', () => {
  expect(isSameSecret('open', 'open')).toBe(true);
  expect(isSameSecret('open', secretDigest('open'))).toBe(true);
  for (const wrong of ['', 'ope', 'opened', 'OPEN']) expect(isSameSecret(wrong, secretDigest('open'))).toBe(false);
});
