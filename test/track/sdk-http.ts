// The SDK's own HTTP handler behind a Node server.
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import type { createMcpHandler } from '@modelcontextprotocol/server';
import type { UrlEntry } from '@tidings/track';

export interface SdkHttp extends AsyncDisposable {
  entry: UrlEntry;
}

/** `knows` tells whether a method is supported. */
export async function serveSdk(
  handler: ReturnType<typeof createMcpHandler>,
  knows: (method: string) => boolean = () => true,
): Promise<SdkHttp> {
  const http = createServer((req, res) => {
    void (async () => {
      if (!knows(String(req.headers['mcp-method']))) return res.writeHead(404).end();
      const headers = Object.entries(req.headers).map(([name, value]): [string, string] => [name, String(value)]);
      const body = req.method === 'POST' ? Buffer.concat(await req.toArray()) : null;
      const response = await handler.fetch(
        new Request(`http://localhost${req.url}`, { method: req.method ?? 'GET', headers, body }),
      );
      res.writeHead(response.status, Object.fromEntries(response.headers));
      if (response.body === null) return res.end();
      return Readable.fromWeb(response.body)
        .on('error', () => undefined)
        .pipe(res);
    })();
  });
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return {
    entry: { id: 's', url: `http://127.0.0.1:${port}/mcp`, headers: {}, enabled: true, trackResources: true },
    [Symbol.asyncDispose]: async () => {
      await handler.close();
      http.closeAllConnections();
      await new Promise((resolve) => void http.close(resolve));
    },
  };
}
