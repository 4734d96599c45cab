// The cheapest request that a server of each era has to answer.
import type { Client, RequestOptions } from '@modelcontextprotocol/client';
import type { Clock } from '@tidings/live';

/** The timeout of a ping that a person waits for. */
const longestMs = 10_000;

export async function ping(
  client: Pick<Client, 'discover' | 'ping'>,
  era: 'modern' | 'legacy',
  options: RequestOptions,
): Promise<void> {
  await (era === 'modern' ? client.discover(options) : client.ping(options));
}

/** Resolves with how many milliseconds the answer took. */
export async function timedPing(client: Client, clock: Clock): Promise<number> {
  const askedAt = clock.now();
  await ping(client, client.getProtocolEra() === 'modern' ? 'modern' : 'legacy', { timeout: longestMs });
  return clock.now() - askedAt;
}
