// A client of a server that runs in this process.
import { Client } from '@modelcontextprotocol/client';
import { type Credential, type LiveServer, serveMemory } from '@tidings/live';
import { version } from '@tidings/live/version';

/** With a credential, the server sees its holder as the caller. */
export async function clientInMemory(server: LiveServer, auth?: Credential): Promise<Client> {
  const client = new Client({ name: 'tidings', version }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(serveMemory(server, auth && { auth }));
  return client;
}
