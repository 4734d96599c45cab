// A server on the official SDK 2 (2026-07-28): `sdk2-server.js FILE stdio` or `sdk2-server.js FILE http PORT`.
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { Server, createMcpHandler } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { truthFile } from './truth-file.js';

const [file, transport, port] = process.argv.slice(2);
const announce = [];
const truth = truthFile(file, {
  changed: (uri) => {
    for (const { changed } of announce) changed(uri);
  },
  listed: () => {
    for (const { listed } of announce) listed();
  },
});

function openServer() {
  const server = new Server(
    { name: 'sdk2', version: '1.0.0' },
    { capabilities: { resources: { subscribe: true, listChanged: true } } },
  );
  server.setRequestHandler('resources/list', () => ({
    resources: truth.uris().map((uri) => ({ uri, name: uri })),
  }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const text = truth.text(uri);
    if (text === undefined) throw Object.assign(new Error('No such resource.'), { code: -32602 });
    return { contents: [{ uri, mimeType: 'text/plain', text }] };
  });
  return server;
}

if (transport === 'stdio') {
  serveStdio(
    () => {
      const server = openServer();
      announce.push({
        changed: (uri) => void server.sendResourceUpdated({ uri }).catch(() => undefined),
        listed: () => void server.sendResourceListChanged().catch(() => undefined),
      });
      return server;
    },
    { legacy: 'reject' },
  );
  process.stdin.on('end', () => process.exit(0));
} else {
  const handler = createMcpHandler(openServer, { legacy: 'reject', keepAliveMs: 5000 });
  announce.push({
    changed: (uri) => handler.notify.resourceUpdated(uri),
    listed: () => handler.notify.resourcesChanged(),
  });
  const answer = async (req, res) => {
    try {
      const headers = Object.entries(req.headers).map(([name, value]) => [name, String(value)]);
      const body = req.method === 'POST' ? Buffer.concat(await req.toArray()) : null;
      const gone = new AbortController();
      res.on('close', () => gone.abort());
      const request = new Request(`http://localhost${req.url}`, {
        method: req.method,
        headers,
        body,
        signal: gone.signal,
      });
      const response = await handler.fetch(request);
      res.writeHead(response.status, Object.fromEntries(response.headers));
      if (response.body === null) return res.end();
      const stream = Readable.fromWeb(response.body).on('error', () => res.destroy());
      res.on('close', () => stream.destroy());
      return stream.pipe(res);
    } catch {
      return res.destroy();
    }
  };
  createServer((req, res) => void answer(req, res)).listen(Number(port), '127.0.0.1');
}
