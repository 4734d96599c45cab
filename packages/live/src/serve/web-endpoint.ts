// The endpoint as a web-standard `fetch` handler: for Hono, Deno, Bun and edge runtimes. Imports nothing of Node.
import type { LiveServer } from '../live-server.ts';
import type { ServerDefinition } from '../definition/server-definition.ts';
import { type EndpointOptions, checkEndpoint, definitionOf } from './endpoint-options.ts';
import { createWebGuard } from './admission/guard.ts';
import { HttpEndpoint } from './http-endpoint.ts';
import { WebExchange } from './exchange/web-exchange.ts';

/**
 * One path of a server with web-standard requests, made by `webEndpoint`.
 *
 * @example
 * const response = await endpoint.fetch(new Request('http://127.0.0.1/mcp'));
 */
export class WebEndpoint extends HttpEndpoint<Request> {
  constructor(definition: ServerDefinition, options: EndpointOptions<Request> = {}) {
    super(definition, options, { guard: createWebGuard(options), addressOf: () => undefined });
  }

  /**
   * Answers a request whose body has not been read. It never rejects. Streams end at once when their body is cancelled
   * or `request.signal` is aborted.
   */
  readonly fetch = (request: Request): Promise<Response> => {
    const exchange = new WebExchange(request);
    void this.serve(exchange).then(() => exchange.finish());
    return exchange.response;
  };
}

/**
 * The endpoint for servers that take a web-standard `fetch`.
 *
 * @example
 * Deno.serve(webEndpoint(server).fetch);
 */
export function webEndpoint(server: LiveServer, options?: EndpointOptions<Request>): WebEndpoint {
  checkEndpoint('webEndpoint', options);
  return new WebEndpoint(definitionOf('webEndpoint', server), options);
}
