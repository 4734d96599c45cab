// JSON responses of Hono's routes.

/** A response with a known length: those of unknown length are compressed, however short. */
export function json(body: unknown, status = 200, headers?: Record<string, string>): Response {
  const text = JSON.stringify(body);
  const length = String(Buffer.byteLength(text));
  return new Response(text, {
    status,
    headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': length },
  });
}
