// A Node HTTP server around one endpoint.
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { localhostAllowedHostnames } from '@modelcontextprotocol/server';
import { aFunction, aPath, aPort, aText } from '../base/check-options.ts';
import { urlHost } from '../base/host-name.ts';
import type { LiveServer } from '../live-server.ts';
import { endsWithin } from '../time/timeout.ts';
import { checkEndpoint, definitionOf } from './endpoint-options.ts';
import { NodeEndpoint, type NodeEndpointOptions } from './node-endpoint.ts';
import { requestTarget } from './exchange/request-target.ts';

const closeGraceMs = 1000;
/** Longer than the keep-alive of clients and proxies: a request on a connection that is just being closed is lost. */
const keepAliveTimeoutMs = 75_000;

const nodeChecks = { room: aFunction };
const httpChecks = { port: aPort, host: aText, path: aPath, otherPaths: aFunction, ...nodeChecks };

/** Where to listen, and the options of the endpoint. Default: a free port of loopback, at `/mcp`. */
export interface HttpOptions extends NodeEndpointOptions {
  /** Default: 0, any free port. */
  port?: number;
  /** Default: loopback only. */
  host?: string;
  /** Default: `/mcp`. */
  path?: string;
  /** Answers requests for other paths, and checks their callers itself. Default: 404. */
  otherPaths?: (req: IncomingMessage, res: ServerResponse) => void;
}

/** A running server: its address, and how to close it. */
export interface RunningServer {
  readonly url: string;
  readonly endpoint: NodeEndpoint;
  readonly close: () => Promise<void>;
}

/**
 * The endpoint alone: its `handle` is a `(req, res)` handler for one path of any Node HTTP server.
 *
 * @example
 * const endpoint = httpEndpoint(server);
 * app.all('/mcp', endpoint.handle);
 */
export function httpEndpoint(server: LiveServer, options?: NodeEndpointOptions): NodeEndpoint {
  checkEndpoint('httpEndpoint', options, nodeChecks);
  return new NodeEndpoint(definitionOf('httpEndpoint', server), options);
}

/**
 * Serves both eras over HTTP. Default: a free port of loopback.
 *
 * @example
 * const { url, close } = await serveHttp(server, { port: 3000 });
 */
export async function serveHttp(server: LiveServer, options: HttpOptions = {}): Promise<RunningServer> {
  checkEndpoint('serveHttp', options, httpChecks);
  const definition = definitionOf('serveHttp', server);
  const { port = 0, host = '127.0.0.1', path = '/mcp', otherPaths, ...endpointOptions } = options;
  const endpoint = new NodeEndpoint(definition, { allowedHosts: namesOf(host), ...endpointOptions });
  const http = createServer({ keepAliveTimeout: keepAliveTimeoutMs }, (req, res) => {
    if (req.url === path || requestTarget(req)?.pathname === path) void endpoint.handle(req, res);
    else if (otherPaths) otherPaths(req, res);
    else res.writeHead(404, { 'Content-Type': 'text/plain' }).end(`Nothing here: this server answers at ${path}.\n`);
  });
  const address = await listen(http, port, host);
  return {
    url: `http://${address}${path}`,
    endpoint,
    close: async () => {
      const closed = new Promise<void>((resolve) => void http.close(() => resolve()));
      await endpoint.close();
      http.closeIdleConnections();
      // Disconnects clients that do not read the end of their response, such as stalled ones.
      if (!(await endsWithin(definition.clock, closeGraceMs, closed))) http.closeAllConnections();
      await closed;
    },
  };
}

/** The host names of a server that listens at `host`. One that listens on every address needs `allowedHosts`. */
function namesOf(host: string): string[] {
  return [...new Set([...localhostAllowedHostnames(), urlHost(host)])];
}

/** Resolves with the bound `host:port`. */
function listen(http: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, host, () => {
      http.off('error', reject);
      const address = http.address();
      if (address === null || typeof address === 'string') return;
      resolve(`${urlHost(address.address)}:${address.port}`);
    });
  });
}
