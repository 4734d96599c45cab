// Serves one server until its client disconnects or a signal ends it.
import { once } from 'node:events';
import { type LiveServer, type Log, serveStdio } from '@tidings/live';
import { pino } from 'pino';
import type { HttpSettings } from './listen-on.ts';
import { logStream } from '../terminal/log-stream.ts';
import { printError, printLine, printJson } from '../terminal/print-line.ts';
import type { OwnRoutes } from './side-routes.ts';
import { exitWithin } from '../terminal/exit-within.ts';
import { stopOnSignal } from '../terminal/stop-on-signal.ts';

export interface ServeSettings extends Omit<HttpSettings, 'port'> {
  name: string;
  /** Without a port, the server uses stdin and stdout. */
  port?: number;
  json?: boolean;
  logLevel: string;
  /** HTTP routes that the server has besides MCP. */
  routes?: (() => Promise<OwnRoutes>) | undefined;
}

interface Serving {
  closed: Promise<void>;
  close(): Promise<void>;
}

/** A client that has stopped reading does not delay the exit for longer. */
const patienceMs = 1500;

export async function serve(create: (log: Log) => Promise<LiveServer>, settings: ServeSettings): Promise<void> {
  // Before the server is created, so that a signal during its start ends it too.
  const stopped = once(stopOnSignal(), 'abort');
  const log = pino({ level: settings.logLevel }, logStream());
  const server = await create(log);
  try {
    const serving = await start(server, log, settings);
    await Promise.race([stopped, serving.closed]);
    exitWithin(patienceMs);
    await serving.close();
  } finally {
    await server.close();
  }
}

async function start(server: LiveServer, log: Log, settings: ServeSettings): Promise<Serving> {
  const { name, port, json, routes, host, allowHost, insecure } = settings;
  if (port === undefined) {
    if (process.stdin.isTTY) printError(`${name} serves MCP on stdin and stdout. For HTTP, add --port 7411.`);
    return serveStdio(server);
  }
  // Over stdio, as hosts start servers, half of the code is not needed.
  const { listenOn } = await import('./listen-on.ts');
  const own = await routes?.();
  const running = await listenOn(server, { name, log, host, allowHost, insecure, port, routes: own });
  if (json) printJson({ server: name, url: running.url });
  else printLine(`Serving ${name} at ${running.url}`);
  return { closed: new Promise(() => undefined), close: () => running.close() };
}
