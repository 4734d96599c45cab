// The documents that say where to get an access token, for the hub and its MCP endpoints.
import { z } from 'zod';
import { type DescribedRoute, ok } from './described-route.ts';

const metadata = z.looseObject({
  resource: z.string(),
  authorization_servers: z.array(z.string()),
  scopes_supported: z.array(z.string()).optional(),
  bearer_methods_supported: z.array(z.string()),
});

export const describedResourceRoutes: readonly DescribedRoute[] = ['', '/mcp', '/mcp/{id}'].map((path) => ({
  method: 'get',
  path: `/.well-known/oauth-protected-resource${path}`,
  summary: 'Where to get an access token, if "oauth" is configured (RFC 9728)',
  isOpen: true,
  answers: ok('The issuers, and the resource to name to them', metadata),
}));
