// Turns a server of both eras into one of the 2025 era: `server/discover` is an unknown method.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

type Handle = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

export function legacyOnly(handle: Handle): RequestListener {
  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    if (req.method !== 'POST') return handle(req, res);
    const body: unknown = JSON.parse(Buffer.concat(await req.toArray()).toString());
    const { method, id } = Object(body);
    if (method === 'server/discover') {
      const error = { code: -32601, message: 'Method not found' };
      res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, error }));
      return;
    }
    await handle(Object.assign(req, { body }), res);
  };
  return (req, res) => void answer(req, res);
}
