// What a client sees through a proxy: how long a read takes, and how long an update is on its way.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const uri = 'item://1';

export async function watching(url) {
  const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  let hear = () => undefined;
  client.setNotificationHandler('notifications/resources/updated', () => hear(process.hrtime.bigint()));
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  await client.listen({ resourceSubscriptions: [uri] });
  return {
    client,
    heard: () =>
      new Promise((resolve) => {
        hear = resolve;
      }),
  };
}

/** Each in milliseconds. */
export async function readTimes({ client }, count) {
  const times = [];
  for (let index = 0; index < count; index += 1) {
    const started = performance.now();
    await client.readResource({ uri }, { cacheMode: 'bypass' });
    times.push(performance.now() - started);
  }
  return times;
}

export async function updateTimes({ client, heard }, count) {
  const times = [];
  for (let index = 0; index < count; index += 1) {
    const hearing = heard();
    const { content } = await client.callTool({ name: 'change' });
    times.push(Number((await hearing) - BigInt(content[0].text)) / 1e6);
  }
  return times;
}

export async function watchedUpstream({ client }) {
  const { content } = await client.callTool({ name: 'watched', arguments: { uri } });
  return Number(content[0].text);
}

export function percentile(times, share) {
  return times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))];
}
