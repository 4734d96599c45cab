// A server on the official SDK 1 (2025 era): `sdk1-server.js FILE stdio` or `sdk1-server.js FILE http PORT`.
import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  ListResourcesRequestSchema,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { truthFile } from './truth-file.js';

const [file, transport, port] = process.argv.slice(2);
/** The subscribed URIs of each session. */
const sessions = new Map();
const truth = truthFile(file, {
  changed: (uri) => {
    for (const [server, uris] of sessions) {
      if (uris.has(uri)) server.sendResourceUpdated({ uri }).catch(() => undefined);
    }
  },
  // As in many servers: a removed resource loses its subscriptions.
  listed: (others) => {
    for (const [server, uris] of sessions) {
      for (const uri of others) uris.delete(uri);
      server.sendResourceListChanged().catch(() => undefined);
    }
  },
});

function openSession() {
  const server = new Server(
    { name: 'sdk1', version: '1.0.0' },
    { capabilities: { resources: { subscribe: true, listChanged: true } } },
  );
  const uris = new Set();
  sessions.set(server, uris);
  server.onclose = () => sessions.delete(server);
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: truth.uris().map((uri) => ({ uri, name: uri })),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    const text = truth.text(uri);
    if (text === undefined) throw Object.assign(new Error('No such resource.'), { code: -32002 });
    return { contents: [{ uri, mimeType: 'text/plain', text }] };
  });
  server.setRequestHandler(SubscribeRequestSchema, ({ params: { uri } }) => {
    uris.add(uri);
    return {};
  });
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params: { uri } }) => {
    uris.delete(uri);
    return {};
  });
  return server;
}

if (transport === 'stdio') {
  await openSession().connect(new StdioServerTransport());
  process.stdin.on('end', () => process.exit(0));
} else {
  const transports = new Map();
  const answer = async (req, res) => {
    try {
      const id = req.headers['mcp-session-id'];
      if (id !== undefined && !transports.has(id)) return res.writeHead(404).end();
      if (id !== undefined) return await transports.get(id).handleRequest(req, res);
      const session = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (sessionId) => void transports.set(sessionId, session),
      });
      await openSession().connect(session);
      return await session.handleRequest(req, res);
    } catch {
      return res.destroy();
    }
  };
  createServer((req, res) => void answer(req, res)).listen(Number(port), '127.0.0.1');
}
