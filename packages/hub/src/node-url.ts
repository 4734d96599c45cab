// The address of this node for other nodes, unless the user has given one.
import { networkInterfaces } from 'node:os';
import { urlHost } from '@tidings/live/internal';

export function nodeUrl({ host, port }: { host: string; port: number }): string {
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const reached = isEverywhere ? (outsideAddress() ?? '127.0.0.1') : host;
  return `http://${urlHost(reached)}:${port}`;
}

/** The host name in that address: other nodes use it in their requests, so it must be accepted. */
export function hostsOf(url: string | undefined): string[] {
  return url === undefined ? [] : [new URL(url).hostname];
}

/** An address of this machine in its network. */
function outsideAddress(): string | undefined {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return addresses.find(({ internal, family }) => !internal && family === 'IPv4')?.address;
}
