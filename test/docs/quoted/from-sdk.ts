// The code of docs/from-sdk.md: one server, written for the SDK and for the kit.
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { type LiveServer, liveServer, notFound } from '@tidings/live';
import { z } from 'zod';

export function notesOfSdk(notes: Map<string, string>): McpServer {
  const server = new McpServer({ name: 'notes', version: '1.0.0' });
  const list = () => ({
    resources: [...notes.keys()].map((id) => ({ uri: `note://${encodeURIComponent(id)}`, name: id })),
  });
  server.registerResource('note', new ResourceTemplate('note://{id}', { list }), {}, (uri, { id }) => {
    const text = notes.get(decodeURIComponent(String(id)));
    if (text === undefined) throw new Error('There is no such note.');
    return { contents: [{ uri: uri.href, text }] };
  });
  const inputSchema = z.object({ id: z.string(), text: z.string() });
  server.registerTool('write_note', { inputSchema }, ({ id, text }) => {
    notes.set(id, text);
    server.sendResourceListChanged();
    return { content: [] };
  });
  return server;
}

export function notesOfKit(notes: Map<string, string>): LiveServer {
  const server = liveServer({ name: 'notes', version: '1.0.0' });
  const note = server.resource('note://{id}', {
    read: ({ id }) => notes.get(id) ?? notFound('There is no such note.'),
    list: () => [...notes.keys()].map((id) => ({ id })),
  });
  const input = z.object({ id: z.string(), text: z.string() });
  server.tool('write_note', { input }, ({ id, text }) => {
    const isNew = !notes.has(id);
    notes.set(id, text);
    if (isNew) note.added({ id });
    else note.changed({ id });
  });
  return server;
}
