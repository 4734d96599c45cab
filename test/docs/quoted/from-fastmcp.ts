// The code of docs/from-fastmcp.md: one server, written for fastmcp and for the kit (which is in from-sdk.ts).
import { FastMCP } from 'fastmcp';
import { z } from 'zod';

export function notesOfFastmcp(notes: Map<string, string>): FastMCP {
  const server = new FastMCP({ name: 'notes', version: '1.0.0' });
  server.addResourceTemplate({
    uriTemplate: 'note://{id}',
    name: 'note',
    arguments: [{ name: 'id', required: true }],
    load: async ({ id }) => {
      const text = notes.get(id);
      if (text === undefined) throw new Error('There is no such note.');
      return { text };
    },
  });
  server.addTool({
    name: 'write_note',
    parameters: z.object({ id: z.string(), text: z.string() }),
    execute: async ({ id, text }) => {
      notes.set(id, text);
      await server.sendResourceUpdated(`note://${encodeURIComponent(id)}`);
      return 'written';
    },
  });
  return server;
}
