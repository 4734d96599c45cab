// The three routes of an MCP endpoint over HTTP.
import { z } from 'zod';
import { type DescribedRoute, empty, lastEventId, taken } from './described-route.ts';

const message = z.looseObject({ jsonrpc: z.literal('2.0') });

const mcpHeaders = {
  'Mcp-Session-Id': 'The session, in the 2025 era.',
  'MCP-Protocol-Version': 'The protocol version, after the session was initialised or on every request.',
};

export function describedMcpRoutes(path: string, what: string): DescribedRoute[] {
  const messages = { 'application/json': message, 'text/event-stream': message };
  return [
    {
      method: 'post',
      path,
      summary: `${what}: a JSON-RPC message of the Model Context Protocol`,
      headers: mcpHeaders,
      body: taken(z.union([message, z.array(message)])),
      answers: {
        200: { description: 'The response, or a stream of messages that ends with it', content: messages },
        202: empty('A notification or a response was accepted'),
      },
    },
    {
      method: 'get',
      path,
      summary: `${what}: the notifications of a session (2025 era)`,
      headers: { ...mcpHeaders, ...lastEventId },
      answers: { 200: { description: 'A stream of messages', content: { 'text/event-stream': message } } },
    },
    {
      method: 'delete',
      path,
      summary: `${what}: ends a session (2025 era)`,
      headers: mcpHeaders,
      answers: { 200: empty('The session is ended') },
    },
  ];
}
