// The web-standard face of an endpoint, as docs/kit.md shows it.
import { liveServer, webEndpoint } from '@tidings/live/web';
import { Hono } from 'hono';

const server = liveServer({ name: 'notes', version: '1.0.0' });
const notes = new Map([['first', 'hello']]);
server.resource('note://{name}', { read: ({ name }) => notes.get(name) });

const endpoint = webEndpoint(server, {
  allowedHosts: ['mcp.example.com'],
  authenticate: ({ headers }) => userOf(headers.get('authorization')),
});
export const app = new Hono();
app.all('/mcp', (c) => endpoint.fetch(c.req.raw));

function userOf(authorization: string | null): { subject: string } | undefined {
  return authorization === null ? undefined : { subject: authorization };
}
