import type { Config } from '@tidings/track';
import { expect, it } from 'vitest';
import { changesBetween } from './configuration-changes.ts';

const server = (id: string, url: string) => ({ id, url, headers: {}, enabled: true, trackResources: false });
const before: Config = {
  servers: [server('a', 'http://one'), server('b', 'http://two')],
  tokens: [{ env: 'A_TOKEN' }],
};

it.each<[string, Partial<Config>, string]>([
  ['nothing', {}, 'nothing'],
  ['servers', { servers: [server('a', 'http://x:secret@three'), server('c', 'http://two')] }, 'servers +c -b ~a'],
  ['tokens', { tokens: [{ env: 'A_TOKEN', servers: ['a'] }, { env: 'B_TOKEN' }] }, 'tokens +B_TOKEN ~A_TOKEN'],
  ['settings', { cors: ['https://page.example'], limits: { streams: 5 } }, 'limits; cors'],
])('names what an edit of %s changed, without values', (_, change, words) => {
  expect(changesBetween(before, { ...before, ...change })).toBe(words);
});
