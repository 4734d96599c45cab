// Makes an endpoint of the kit answer in one era only. The built-in servers support both, and the tracker would always
// choose the newer one.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NodeEndpoint } from '@tidings/live';
import type { Era } from '@tidings/live/testing';
import { z } from 'zod';

const messageSchema = z.object({ method: z.string().optional(), id: z.unknown().optional() });

export async function answerInEra(
  era: Era,
  endpoint: NodeEndpoint,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  if (era === 'modern' || req.method !== 'POST') return endpoint.handle(req, res);
  const body: unknown = JSON.parse(Buffer.concat(await req.toArray()).toString());
  const { method, id } = messageSchema.parse(body);
  if (method !== 'server/discover') return endpoint.handle(Object.assign(req, { body }), res);
  const error = { code: -32601, message: 'Method not found' };
  res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, error }));
  return undefined;
}
