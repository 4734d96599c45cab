// A Node HTTP server around one endpoint.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { aFunction, aPath, aPort, aText } from '../base/check-options.ts';
import { urlHost } from '../base/host-name.ts';
import type { LiveServer } from '../live-server.ts';
import { ownHostNames } from './admission/guard.ts';
import { checkEndpoint, definitionOf } from './endpoint-options.ts';
import { HttpListener } from './http-listener.ts';
import { NodeEndpoint, type NodeEndpointOptions } from './node-endpoint.ts';
import { requestTarget } from './exchange/request-target.ts';

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
  const endpoint = new NodeEndpoint(definition, { allowedHosts: ownHostNames(host), ...endpointOptions });
  const answer = (req: IncomingMessage, res: ServerResponse) => {
    if (req.url === path || requestTarget(req)?.pathname === path) void endpoint.handle(req, res);
    else if (otherPaths) otherPaths(req, res);
    else res.writeHead(404, { 'Content-Type': 'text/plain' }).end(`Nothing here: this server answers at ${path}.\n`);
  };
  const listener = new HttpListener(answer, { clock: definition.clock });
  const bound = await listener.listen(port, host);
  return {
    url: `http://${urlHost(bound.host)}:${bound.port}${path}`,
    endpoint,
    close: () => listener.close(() => endpoint.close()),
  };
}
