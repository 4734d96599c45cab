// A server on a socket for either interface of the endpoint: Node's, or the web-standard one behind Hono.
import { once } from 'node:events';
import { createAdaptorServer } from '@hono/node-server';
import type { Credential, EndpointOptions, LiveServer } from '@tidings/live';
import { Hono } from 'hono';
import type { Kit } from '../kit.ts';

export interface FrontOptions extends Pick<
  EndpointOptions,
  'allowedHosts' | 'allowedOrigins' | 'keepAliveMs' | 'sessionIdleMs'
> {
  /** Called with the Authorization header. */
  authenticate?: (authorization: string | undefined) => Credential | undefined;
}

export interface Front {
  readonly url: string;
  readonly endpoint: { readonly open: { streams: number; sessions: number } };
  close(): Promise<void>;
}

export function serveNode(kit: Kit, server: LiveServer, options: FrontOptions = {}): Promise<Front> {
  const { authenticate, ...rest } = options;
  return kit.live.serveHttp(server, {
    ...rest,
    ...(authenticate && { authenticate: ({ headers }) => authenticate(headers.authorization) }),
  });
}

export async function serveWeb(kit: Kit, server: LiveServer, options: FrontOptions = {}): Promise<Front> {
  const { authenticate, ...rest } = options;
  const endpoint = kit.live.webEndpoint(server, {
    ...rest,
    ...(authenticate && { authenticate: ({ headers }) => authenticate(headers.get('authorization') ?? undefined) }),
  });
  const app = new Hono();
  app.all('/mcp', ({ req }) => endpoint.fetch(req.raw));
  const http = createAdaptorServer(app);
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/mcp`,
    endpoint,
    close: async () => {
      await endpoint.close();
      if ('closeAllConnections' in http) http.closeAllConnections();
      await new Promise<void>((resolve) => void http.close(() => resolve()));
    },
  };
}
