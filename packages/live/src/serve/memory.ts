// Serves one client in the same process, for tests and for embedding.
import { InMemoryTransport, type Transport, parseJSONRPCMessage } from '@modelcontextprotocol/server';
import { serveStdio as serveWithSdk } from '@modelcontextprotocol/server/stdio';
import { anObject, checkOptions } from '../base/check-options.ts';
import type { LiveServer } from '../live-server.ts';
import type { Credential } from '../resource/caller.ts';
import type { RecogniseMessage } from './direct/direct-line.ts';
import { definitionOf } from './endpoint-options.ts';
import { DuplexTransport } from './duplex-transport.ts';
import type { Line } from '../session/line.ts';

/**
 * Returns the client's end, for `connect` of an MCP client. Closing either end closes both.
 *
 * @example
 * await client.connect(serveMemory(server));
 */
export function serveMemory(server: LiveServer, options: { auth?: Credential } = {}): Transport {
  checkOptions('serveMemory', options, { auth: anObject });
  return memoryClient(server, options.auth);
}

/** As `serveMemory`; `recognise` says which messages are answered without the SDK. */
export function memoryClient(server: LiveServer, auth?: Credential, recognise?: RecogniseMessage): Transport {
  const definition = definitionOf('serveMemory', server);
  const [client, wire] = InMemoryTransport.createLinkedPair();
  const caller = { transport: 'memory', auth } as const;
  const transport = new DuplexTransport(definition, wire, memoryLine(wire), caller, recognise);
  // The SDK's function for stdio accepts any transport of whole messages.
  serveWithSdk((context) => transport.createInstance(context), {
    transport,
    maxSubscriptions: Number.POSITIVE_INFINITY,
    onerror: (error) => definition.log.warn({ err: error }, 'A message in memory could not be handled.'),
  });
  return client;
}

function memoryLine(wire: Transport): Line {
  return {
    ready: true,
    write: (lines) => {
      for (const line of lines.trimEnd().split('\n')) {
        // Fails if the client has closed, which its transport has reported already.
        wire.send(parseJSONRPCMessage(JSON.parse(line))).catch(() => undefined);
      }
    },
    onReady: () => undefined,
  };
}
