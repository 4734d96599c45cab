// MCP requests through a web-standard `fetch`, without a socket: the body of a stream can be left unread, or cancelled.
import type { Era } from '@tidings/live/testing';
import { rpcRequest } from './raw-http.ts';

type Fetch = (request: Request) => Promise<Response>;

interface Extra {
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

const url = 'http://localhost/mcp';

async function send(fetch: Fetch, era: Era, method: string, params: object = {}, extra: Extra = {}) {
  const { headers, body } = rpcRequest(era, method, { ...params });
  const { headers: more, ...init } = extra;
  return fetch(
    new Request(url, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body), ...init }),
  );
}

/** The body of a live stream of these URIs, in either era. */
export async function openBody(
  fetch: Fetch,
  era: Era,
  uris: readonly string[],
  signal?: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const init = signal === undefined ? {} : { signal };
  const response = await (era === 'modern' ? listen(fetch, uris, init) : openGet(fetch, uris, init));
  if (response.status !== 200 || response.body === null) throw new Error(`There is no stream: ${response.status}.`);
  return response.body;
}

function listen(fetch: Fetch, uris: readonly string[], init: Extra): Promise<Response> {
  return send(fetch, 'modern', 'subscriptions/listen', { notifications: { resourceSubscriptions: uris } }, init);
}

async function openGet(fetch: Fetch, uris: readonly string[], init: Extra): Promise<Response> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  const initialized = await send(fetch, 'legacy', 'initialize', params);
  await initialized.text();
  const session = { 'mcp-session-id': initialized.headers.get('mcp-session-id') ?? '' };
  for (const uri of uris) {
    await (await send(fetch, 'legacy', 'resources/subscribe', { uri }, { headers: session })).text();
  }
  return fetch(new Request(url, { headers: { accept: 'text/event-stream', ...session }, ...init }));
}

export function textOf({ value }: { value?: Uint8Array | undefined }): string {
  return new TextDecoder().decode(value);
}
