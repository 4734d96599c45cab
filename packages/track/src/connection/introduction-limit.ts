// A bound on what a server introduces itself with: capabilities, name and instructions are kept for the whole session.
import type { Client, Transport } from '@modelcontextprotocol/client';

const maxIntroduction = 256 * 1024;

/** Closes the connection and throws if it is larger. */
export async function refuseLargeIntroduction(client: Client, transport: Transport): Promise<void> {
  const introduction = [client.getServerCapabilities(), client.getServerVersion(), client.getInstructions()];
  if (JSON.stringify(introduction).length <= maxIntroduction) return;
  await transport.close();
  throw new Error(
    `The server introduces itself with more than ${maxIntroduction / 1024} KB of capabilities and instructions: they must be shorter.`,
  );
}
