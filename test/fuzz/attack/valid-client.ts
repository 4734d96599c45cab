// A correct client between the attacks: it lists, reads, subscribes, and must be notified of a change.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Era } from '../generate/valid-messages.ts';
import { within } from './within.ts';

const uri = 'notes://today';

export async function useProperly(url: string, era: Era): Promise<void> {
  const client = new Client(
    { name: 'proper', version: '1.0.0' },
    { versionNegotiation: { mode: era === 'modern' ? 'auto' : 'legacy' } },
  );
  const transport = new StreamableHTTPClientTransport(new URL(url));
  await within(10_000, `use of the server by a proper ${era} client`, use(client, transport, era));
}

async function use(client: Client, transport: StreamableHTTPClientTransport, era: Era): Promise<void> {
  const told = new Promise<void>((resolve) => {
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      if (params.uri === uri) resolve();
    });
  });
  await client.connect(transport);
  const { resources } = await client.listResources();
  if (!resources.some((resource) => resource.uri === uri)) throw new Error(`${uri} is not listed any more.`);
  await client.readResource({ uri });
  if (era === 'modern') await client.listen({ resourceSubscriptions: [uri] });
  else await client.subscribeResource({ uri });
  await client.callTool({ name: 'set_note', arguments: { name: 'today', text: 'coffee' } });
  await told;
  if (era === 'legacy') await transport.terminateSession();
  await client.close();
}
