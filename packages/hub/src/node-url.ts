// Where other nodes reach this one, unless the user has said so.
import { networkInterfaces } from 'node:os';

export function nodeUrl({ host, port }: { host: string; port: number }): string {
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const reached = isEverywhere ? (outsideAddress() ?? '127.0.0.1') : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}

/** Other nodes use that name in their requests, so it has to be accepted. */
export function hostsOf(url: string | undefined): string[] {
  return url === undefined ? [] : [new URL(url).hostname];
}

/** An address of this machine in its network. */
function outsideAddress(): string | undefined {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return addresses.find(({ internal, family }) => !internal && family === 'IPv4')?.address;
}
