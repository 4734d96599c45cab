import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { afterEach, expect, it } from 'vitest';
import { type LiveServer, liveServer } from '../live-server.ts';
import { type Era, eventually } from '../testing.ts';
import { serveHttp } from './http.ts';
import { serveMemory } from './memory.ts';
import { webEndpoint } from './web-endpoint.ts';

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const transports: Record<string, (server: LiveServer) => Promise<Transport>> = {
  http: async (server) => {
    const running = await serveHttp(server);
    closing.push(running.close);
    return new StreamableHTTPClientTransport(new URL(running.url));
  },
  web: async (server) => {
    const endpoint = webEndpoint(server);
    closing.push(() => endpoint.close());
    const fetch = (url: string | URL, init?: RequestInit) => endpoint.fetch(new Request(url, init));
    return new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), { fetch });
  },
  memory: async (server) => serveMemory(server),
};

it.each(Object.keys(transports).flatMap((name) => [['modern', name] as const, ['legacy', name] as const]))(
  'the signal of a read is aborted when its client has left: %s, %s',
  async (era: Era, name) => {
    const heard: string[] = [];
    const server = liveServer({
      name: 'slow',
      version: '1.0.0',
      log: { warn: () => undefined, error: () => undefined },
    });
    server.resource('slow://{name}', {
      read: async ({ name }, { caller, uri, signal }) => {
        heard.push(`${caller.era} reads ${uri}`);
        if (name === 'wait') await new Promise((resolve) => signal.addEventListener('abort', resolve));
        heard.push(signal.aborted ? 'aborted' : 'answered');
        return name;
      },
    });
    const mode = era === 'modern' ? 'auto' : 'legacy';
    const client = new Client({ name: 'reader', version: '1.0.0' }, { versionNegotiation: { mode } });
    await client.connect((await transports[name]?.(server)) ?? expect.unreachable());
    await client.readResource({ uri: 'slow://a' });
    const leaving = new AbortController();
    const read = client.readResource({ uri: 'slow://wait' }, { signal: leaving.signal }).catch(() => 'gave up');
    await eventually('the read to begin', () => heard.length === 3);
    leaving.abort();
    expect(await read).toBe('gave up');
    await eventually('the read to hear of it', () => heard.length === 4);
    expect(heard).toEqual([`${era} reads slow://a`, 'answered', `${era} reads slow://wait`, 'aborted']);
    await client.close();
  },
);
