// The transport of one session: the pipes of a server process, HTTP, the event stream of 2024-11-05, or memory for a
// built-in server.
import type { Transport } from '@modelcontextprotocol/client';
import { type LiveServer, serveMemory } from '@tidings/live';
import type { ServerEntry } from '../../config/config.ts';
import { HttpChannel, type HttpDeps } from '../http/http-channel.ts';
import type { HttpChannelEvents } from '../http/http-channel-events.ts';
import { SseTransport } from '../http/sse-transport.ts';
import type { KeepAliveInterval } from '../http/stream/stream-liveness.ts';
import { ProcessTransport } from '../process/process-transport.ts';
import type { ProcessDeps } from '../process/server-process.ts';
import type { Session } from '../session/session.ts';

/** Servers to run in this process, by the names that `builtin` entries give. Default: none. */
export type Builtins = Readonly<Record<string, () => LiveServer | Promise<LiveServer>>>;

export interface TransportDeps extends ProcessDeps, HttpDeps {
  builtins: Builtins;
  /** The known interval of comments on this server's streams. */
  keepAlive: KeepAliveInterval;
  /** How long the handshake may take. */
  connectMs: number;
}

interface SessionTransport {
  readonly transport: Transport;
  /** Only over HTTP, without `isOverSse`. */
  readonly http?: HttpChannel;
  /** Only for a built-in server. */
  readonly builtin?: LiveServer;
}

/** `isOverSse`: HTTP with the event stream of 2024-11-05. */
export async function sessionTransport(
  entry: ServerEntry,
  deps: TransportDeps,
  events: HttpChannelEvents,
  isOverSse: boolean,
): Promise<SessionTransport> {
  if ('command' in entry) return { transport: new ProcessTransport(entry, deps) };
  if ('url' in entry && isOverSse)
    return { transport: new SseTransport(entry, { ...deps, failed: () => events.failed() }) };
  if ('url' in entry) {
    const http = new HttpChannel(entry, deps.keepAlive, deps, events);
    return { transport: http.transport, http };
  }
  const create = deps.builtins[entry.builtin];
  if (create === undefined) {
    const names = Object.keys(deps.builtins).join(', ') || 'none';
    throw new Error(`There is no built-in server "${entry.builtin}". Built in: ${names}.`);
  }
  const builtin = await create();
  return { transport: serveMemory(builtin), builtin };
}

export function transportKind(entry: ServerEntry): Session['transport'] {
  return 'command' in entry ? 'stdio' : 'url' in entry ? 'http' : 'memory';
}
