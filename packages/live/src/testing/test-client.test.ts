import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { LiveError } from '../base/error.ts';
import { liveServer } from '../live-server.ts';
import { ToolFailure, connectFetch, connectMemory } from './test-client.ts';

describe.each(['modern', 'legacy'] as const)('a test client of the %s era', (era) => {
  it('rejects if a tool fails, with its message and its code', async () => {
    const server = liveServer({ name: 'failing', version: '1.0.0' });
    server.tool('fails', {}, () => {
      throw new LiveError('UNAVAILABLE', 'The lamp is off: switch it on.');
    });
    server.tool('works', {}, () => 'done');
    const client = await connectMemory(server, era);
    expect(await client.call('works')).toBe('done');
    const failure = await client.call('fails').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ToolFailure);
    expect(failure).toMatchObject({ message: 'The lamp is off: switch it on.', code: 'UNAVAILABLE' });
    await client.close();
  });

  it('reads bytes as base64', async () => {
    const server = liveServer({ name: 'bytes', version: '1.0.0' });
    server.resource('bytes://hello', { read: () => new TextEncoder().encode('hello') });
    const client = await connectMemory(server, era);
    expect(await client.read('bytes://hello')).toBe('aGVsbG8=');
    await client.close();
  });
});

it.each(['2025-11-25', undefined])('a test client has no era %j', async (era) => {
  const server = liveServer({ name: 'any', version: '1.0.0' });
  const connecting = async () => Reflect.apply(connectMemory, undefined, [server, era]);
  await expect(connecting()).rejects.toThrow('The era of a test client must be "modern" or "legacy", and is');
});

it('a modern test client does not fall back to a server of the other era', async () => {
  const old = createMcpHandler(() => new McpServer({ name: 'old', version: '1.0.0' }), { legacy: 'stateless' });
  const refusesModern = (request: Request) =>
    request.headers.get('mcp-protocol-version') === '2026-07-28'
      ? new Response('Unsupported protocol version', { status: 400 })
      : old.fetch(request);
  await expect(connectFetch(refusesModern, 'modern')).rejects.toThrow(
    'The server speaks the legacy era only, and a client of the modern era was asked for.',
  );
});
