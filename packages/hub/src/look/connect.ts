// Connects to what the user named, in whichever era it speaks.
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { ownVersion } from '../own-version.ts';
import { ChildTransport } from './child-transport.ts';
import { connectionFailure } from './connection-failure.ts';
import type { Target } from './target.ts';

/** A server that says nothing to the newer era's first question is taken for one of the older. */
const probeMs = 10_000;
const maxPages = 10_000;

const reconnectionOptions = {
  maxRetries: 0,
  initialReconnectionDelay: 0,
  maxReconnectionDelay: 0,
  reconnectionDelayGrowFactor: 1,
};

/** A client that is connected. Closing it ends a started command too, and so does the signal while it connects. */
export function connect(target: Target, signal: AbortSignal): Promise<Client> {
  return target.kind === 'command' ? connectCommand(target, signal) : connectHttp(target, signal);
}

async function connectHttp(target: Exclude<Target, { kind: 'command' }>, signal: AbortSignal): Promise<Client> {
  const headers: Record<string, string> = target.token ? { authorization: `Bearer ${target.token}` } : {};
  // A lost stream may have lost updates: whoever listens has to know, and starts anew.
  const transport = new StreamableHTTPClientTransport(target.url, { requestInit: { headers }, reconnectionOptions });
  try {
    return await connectClient(transport, 'auto', signal);
  } catch (error) {
    throw connectionFailure(error, target);
  }
}

async function connectCommand(
  target: Extract<Target, { kind: 'command' }>,
  signal: AbortSignal,
  mode: 'auto' | 'legacy' = 'auto',
): Promise<Client> {
  const transport = new ChildTransport(target.command, target.args);
  try {
    return await connectClient(transport, mode, signal);
  } catch (error) {
    const hasEnded = transport.wasStarted && transport.pid === undefined;
    await transport.close();
    // Some older servers end at a question they do not know: those get a second start, and the older question.
    if (mode === 'auto' && hasEnded && !signal.aborted) return connectCommand(target, signal, 'legacy');
    throw connectionFailure(error, target, transport.stderr.toString());
  }
}

async function connectClient(transport: Transport, mode: 'auto' | 'legacy', signal: AbortSignal): Promise<Client> {
  const client = newClient(mode);
  const giveUp = () => void transport.close();
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    await client.connect(transport);
    return client;
  } catch (error) {
    await client.close();
    throw error;
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

function newClient(mode: 'auto' | 'legacy'): Client {
  return new Client(
    { name: 'tidings', version: ownVersion() },
    { versionNegotiation: { mode, probe: { timeoutMs: probeMs } }, listMaxPages: maxPages },
  );
}
