// JSON responses of Hono's routes.

/**
 * With its length: the compression leaves out small responses, for which it takes longer than the rest of the request,
 * and compresses responses of unknown length.
 */
export function json(body: unknown, status = 200, headers?: Record<string, string>): Response {
  const text = JSON.stringify(body);
  const length = String(Buffer.byteLength(text));
  return new Response(text, {
    status,
    headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': length },
  });
}
