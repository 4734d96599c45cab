// For tests: an MCP server behind the hub, of which the page sees only `fetch`.
import { vi } from 'vitest';
import * as z from 'zod/mini';

const bodySchema = z.object({ method: z.string(), params: z.record(z.string(), z.unknown()) });

export interface ReceivedRequest {
  path: string;
  method: string;
  /** Without `_meta`. */
  params: Record<string, unknown>;
}

/** Answers each request with the result that `resultOf` returns, or with the error that it throws. */
export function fakeMcpServer(resultOf: (request: ReceivedRequest) => unknown): ReceivedRequest[] {
  const received: ReceivedRequest[] = [];
  // The view of requests is drawn at the next frame.
  vi.stubGlobal('requestAnimationFrame', () => 0);
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit) => {
    const { method, params } = bodySchema.parse(JSON.parse(typeof body === 'string' ? body : ''));
    const { _meta, ...rest } = params;
    const request = { path, method, params: rest };
    received.push(request);
    try {
      return Response.json({ jsonrpc: '2.0', id: 1, result: resultOf(request) });
    } catch (error) {
      return Response.json({ jsonrpc: '2.0', id: 1, error: { message: String(error) } });
    }
  });
  return received;
}
