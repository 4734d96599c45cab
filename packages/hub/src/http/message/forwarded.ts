// The client's address, and whether it uses TLS. Behind a proxy the connection is that of the proxy; the proxy's headers
// are trusted only from the addresses listed in the configuration.
import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';

export interface Forwarded {
  /** The client's address, without the prefix of an IPv4 address in IPv6. */
  addressOf(this: void, req: IncomingMessage): string;
  isTls(this: void, req: IncomingMessage): boolean;
}

export function forwardedBy(proxies: () => readonly string[]): Forwarded {
  const isProxy = (address: string) => proxies().includes(address);
  return {
    addressOf: ({ socket, headers }) => {
      const peer = plain(socket.remoteAddress);
      if (!isProxy(peer)) return peer;
      // Each proxy appends the address of its client: the last one that is not a trusted proxy is the client's.
      const chain = listOf(headers['x-forwarded-for']).map(plain);
      return chain.findLast((address) => !isProxy(address)) ?? chain[0] ?? peer;
    },
    isTls: ({ socket, headers }) => {
      if ('encrypted' in socket && socket.encrypted === true) return true;
      return isProxy(plain(socket.remoteAddress)) && listOf(headers['x-forwarded-proto']).at(-1) === 'https';
    },
  };
}

function listOf(header: string | string[] | undefined): string[] {
  const text = [header ?? []].flat().join(',');
  return text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);
}

function plain(address = ''): string {
  const inner = address.replace(/^::ffff:/i, '');
  return isIPv4(inner) ? inner : address;
}
