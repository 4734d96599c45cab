import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { forwardedBy } from './forwarded.ts';

function request(peer: string, headers: Record<string, string>): IncomingMessage {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: peer });
  return Object.assign(new IncomingMessage(socket), { headers });
}

it.each([
  ['a client itself', '192.0.2.7', {}, '192.0.2.7', false],
  ['an IPv4 client on an IPv6 socket', '::ffff:192.0.2.7', {}, '192.0.2.7', false],
  [
    'a client that claims to be a proxy',
    '192.0.2.7',
    { 'x-forwarded-for': '10.0.0.1', 'x-forwarded-proto': 'https' },
    '192.0.2.7',
    false,
  ],
  ['a proxy', '127.0.0.1', { 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'https' }, '192.0.2.7', true],
  [
    'a proxy whose client made something up',
    '127.0.0.1',
    { 'x-forwarded-for': '10.0.0.1, 192.0.2.7' },
    '192.0.2.7',
    false,
  ],
  ['two proxies', '127.0.0.1', { 'x-forwarded-for': '192.0.2.7, ::1' }, '192.0.2.7', false],
  ['a proxy that says nothing', '::1', {}, '::1', false],
])('%s', (_what, peer, headers, address, isTls) => {
  const forwarded = forwardedBy(() => ['127.0.0.1', '::1']);
  const req = request(peer, headers);
  expect([forwarded.addressOf(req), forwarded.isTls(req)]).toEqual([address, isTls]);
});
