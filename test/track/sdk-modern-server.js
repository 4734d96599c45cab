// A 2026-07-28 server on stdio, written with the official SDK only. Its tools change its notes.
import { McpServer, ResourceTemplate, fromJsonSchema } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const notes = new Map([
  ['one', 'first'],
  ['two', 'second'],
]);

serveStdio(
  () => {
    const server = new McpServer(
      { name: 'sdk-notes', version: '1.0.0' },
      { capabilities: { resources: { subscribe: true, listChanged: true }, tools: {} } },
    );
    const list = () => ({ resources: [...notes.keys()].map((name) => ({ uri: `sdk://${name}`, name })) });
    server.registerResource('note', new ResourceTemplate('sdk://{name}', { list }), {}, (uri, { name }) => ({
      contents: [{ uri: uri.href, text: notes.get(String(name)) ?? '' }],
    }));
    const inputSchema = fromJsonSchema({
      type: 'object',
      properties: { name: { type: 'string' }, text: { type: 'string' } },
      required: ['name', 'text'],
    });
    server.registerTool('put', { inputSchema }, async ({ name, text }) => {
      const isNew = !notes.has(name);
      notes.set(name, text);
      await server.server.sendResourceUpdated({ uri: `sdk://${name}` });
      if (isNew) await server.server.sendResourceListChanged();
      return { content: [{ type: 'text', text: 'done' }] };
    });
    return server;
  },
  { legacy: 'reject' },
);
