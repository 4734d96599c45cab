// The endpoint in the frameworks that docs/frameworks.md shows.
import { createServer } from 'node:http';
import { httpEndpoint, type LiveServer, webEndpoint } from '@tidings/live';
import fastify from 'fastify';
import { Hono } from 'hono';

export function inNode(server: LiveServer) {
  const endpoint = httpEndpoint(server);

  const http = createServer((req, res) => {
    if (req.url === '/mcp') void endpoint.handle(req, res);
    else res.writeHead(404).end();
  });
  return { http, close: () => endpoint.close() };
}

export function inFastify(server: LiveServer) {
  const endpoint = httpEndpoint(server);

  const app = fastify();
  app.all('/mcp', (request, reply) => {
    // The endpoint writes the response instead of Fastify, and gets the body that Fastify has read.
    reply.hijack();
    void endpoint.handle(request.raw, reply.raw, request.body);
  });
  return { app, close: () => endpoint.close() };
}

export function inHono(server: LiveServer) {
  const endpoint = webEndpoint(server);

  const app = new Hono();
  app.all('/mcp', ({ req }) => endpoint.fetch(req.raw));
  return { app, close: () => endpoint.close() };
}

export function inRoute(server: LiveServer) {
  const endpoint = webEndpoint(server);

  const GET = endpoint.fetch;
  const POST = endpoint.fetch;
  const DELETE = endpoint.fetch;
  return { GET, POST, DELETE, close: () => endpoint.close() };
}
