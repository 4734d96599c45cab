// A server on the official SDK that interprets URIs as leniently as possible: it parses them, decodes their path twice,
// treats backslashes as slashes and normalises the rest. Every spelling leads to the document, so that only the hub can
// refuse a caller.
import { posix } from 'node:path';
import { McpServer, ResourceTemplate, completable, createMcpHandler } from '@modelcontextprotocol/server';
import type { UrlEntry } from '@tidings/track';
import { z } from 'zod';
import { serveSdk } from '../track/sdk-http.ts';

export interface LenientServer extends AsyncDisposable {
  entry: UrlEntry;
  /** Sends an update of one of its documents. */
  change(uri: string): Promise<void>;
}

/** `documents` by path, as in `public/handbook`. */
export async function lenientServer(id: string, documents: Readonly<Record<string, string>>): Promise<LenientServer> {
  const uriOf = (path: string) => `${id}://corp/${path}`;
  const paths = Object.keys(documents);
  let changes = 0;
  const handler = createMcpHandler(() => {
    const server = new McpServer(
      { name: id, version: '1.0.0' },
      {
        capabilities: {
          resources: { subscribe: true, listChanged: true },
          extensions: { [`example.com/${id}-search`]: {} },
        },
      },
    );
    const template = new ResourceTemplate(`${id}://corp/{+path}`, {
      list: () => ({ resources: paths.map((path) => ({ uri: uriOf(path), name: path })) }),
      complete: { path: () => paths },
    });
    server.registerResource('document', template, {}, ({ href, pathname }) => {
      const decoded = decodeURIComponent(decodeURIComponent(pathname)).replaceAll('\\', '/');
      const path = posix.normalize(decoded).replaceAll(/^\/|\/$/g, '');
      const text = documents[path];
      if (text === undefined) throw new Error(`There is no ${path}.`);
      return { contents: [{ uri: href, text: `${text} ${changes}` }] };
    });
    const found = Object.entries(documents).flatMap(([path, text]) => [
      { type: 'resource_link' as const, name: path, uri: uriOf(path) },
      { type: 'resource' as const, resource: { uri: uriOf(path), text } },
    ]);
    const inputSchema = z.object({});
    server.registerTool('search', { inputSchema, annotations: { readOnlyHint: true } }, () => ({ content: found }));
    server.registerTool('put', { inputSchema }, () => ({ content: [{ type: 'text', text: 'done' }] }));
    const argsSchema = z.object({ path: completable(z.string(), () => paths) });
    server.registerPrompt('about', { argsSchema }, () => ({
      messages: found.map((content) => ({ role: 'user' as const, content })),
    }));
    return server;
  });
  const served = await serveSdk(handler);
  return {
    entry: { ...served.entry, id },
    change: async (uri) => {
      changes += 1;
      handler.notify.resourceUpdated(uri);
    },
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
}
