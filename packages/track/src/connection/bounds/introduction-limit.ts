// Bounds the size of the capabilities, name and instructions of a server, which are kept for the whole session.
import type { Client, Transport } from '@modelcontextprotocol/client';

const maxIntroduction = 256 * 1024;

/** Closes the connection and throws if they are too large. */
export async function refuseLargeIntroduction(client: Client, transport: Transport): Promise<void> {
  const introduction = [client.getServerCapabilities(), client.getServerVersion(), client.getInstructions()];
  if (JSON.stringify(introduction).length <= maxIntroduction) return;
  await transport.close();
  throw new Error(
    `The server introduces itself with more than ${maxIntroduction / 1024} KB of capabilities and instructions: they must be shorter.`,
  );
}
