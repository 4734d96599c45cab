// Serves one server until its client hangs up or somebody ends it.
import { once } from 'node:events';
import { type LiveServer, serveStdio } from '@tidings/live';
import { type HttpSettings, listenOn } from './listen-on.ts';
import { complain, say, sayJson } from '../terminal/say.ts';
import { exitWithin } from '../terminal/exit-within.ts';
import { stopOnSignal } from '../terminal/stop-on-signal.ts';

export interface ServeSettings extends Omit<HttpSettings, 'port'> {
  name: string;
  /** Without a port the server speaks on stdin and stdout. */
  port?: number;
  json?: boolean;
}

interface Connection {
  closed: Promise<void>;
  close(): Promise<void>;
}

/** A client that has stopped reading must not keep us from ending. */
const patienceMs = 1500;

export async function serve(create: () => Promise<LiveServer>, settings: ServeSettings): Promise<void> {
  // From the first moment: a signal that comes while the server starts ends it too.
  const stopped = once(stopOnSignal(), 'abort');
  const server = await create();
  try {
    const connection = await connect(server, settings);
    await Promise.race([stopped, connection.closed]);
    exitWithin(patienceMs);
    await connection.close();
  } finally {
    await server.close();
  }
}

async function connect(server: LiveServer, { name, port, json, ...http }: ServeSettings): Promise<Connection> {
  if (port === undefined) {
    if (process.stdin.isTTY) complain(`${name} speaks MCP on stdin and stdout. For HTTP, add --port 7411.`);
    return serveStdio(server);
  }
  const running = await listenOn(server, { ...http, port });
  if (json) sayJson({ server: name, url: running.url });
  else say(`Serving ${name} at ${running.url}`);
  return { closed: new Promise(() => undefined), close: () => running.close() };
}
