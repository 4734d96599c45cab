// MCP over HTTP without a client library, to see raw responses and to send invalid requests.
import { type IncomingMessage, request } from 'node:http';
import type { Era } from '@tidings/live/testing';
import { eventually } from '@tidings/live/testing';

const modernVersion = '2026-07-28';
const legacyVersion = '2025-11-25';

export interface RpcMessage {
  id?: string | number | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: Record<string, unknown> };
}

export interface RawAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  /** The JSON body, or the message of a one-message event stream. */
  message: RpcMessage;
}

/** Headers and envelope of a request in this era. */
export function rpcRequest(era: Era, method: string, params: Record<string, unknown> = {}, id: string | number = 1) {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': era === 'modern' ? modernVersion : legacyVersion,
  };
  if (era === 'legacy') return { headers, body: { jsonrpc: '2.0', id, method, params } };
  headers['mcp-method'] = method;
  const name = params['uri'] ?? params['name'];
  if (typeof name === 'string') headers['mcp-name'] = name;
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': modernVersion,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return { headers, body: { jsonrpc: '2.0', id, method, params: { ...params, _meta } } };
}

export async function post(url: string, body: unknown, headers: Record<string, string>): Promise<RawAnswer> {
  const res = await send(url, 'POST', headers, typeof body === 'string' ? body : JSON.stringify(body));
  const chunks: Buffer[] = [];
  for await (const chunk of res) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const json = /^data: (.+)$/m.exec(text)?.[1] ?? (text || '{}');
  return { status: res.statusCode ?? 0, headers: res.headers, message: JSON.parse(json) };
}

export function ask(
  url: string,
  era: Era,
  method: string,
  params?: Record<string, unknown>,
  extra: Record<string, string> = {},
) {
  const { headers, body } = rpcRequest(era, method, params);
  return post(url, body, { ...headers, ...extra });
}

/** Opens a 2025-era session; returns the headers for later requests. */
export async function initialize(url: string, extra: Record<string, string> = {}): Promise<Record<string, string>> {
  const params = { protocolVersion: legacyVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  const { headers } = await ask(url, 'legacy', 'initialize', params, extra);
  const id = headers['mcp-session-id'];
  if (typeof id !== 'string') throw new Error('initialize was refused');
  return { ...extra, 'mcp-session-id': id, 'mcp-protocol-version': legacyVersion };
}

/** An open event stream whose messages are recorded, and whose socket can be left unread. */
export class RawStream {
  readonly res: IncomingMessage;
  readonly messages: RpcMessage[] = [];
  /** All received text, including comments. */
  text = '';
  ended = false;
  #rest = '';

  constructor(res: IncomingMessage) {
    this.res = res;
    res.setEncoding('utf8');
    res.on('data', (chunk: string) => this.#read(chunk));
    res.on('close', () => {
      this.ended = true;
    });
    res.on('error', () => undefined);
  }

  get updates(): string[] {
    return this.messages.flatMap(({ method, params }) =>
      method === 'notifications/resources/updated' ? [String(params?.['uri'])] : [],
    );
  }

  async sees(what: string, check: (stream: this) => boolean): Promise<void> {
    await eventually(what, () => check(this));
  }

  destroy(): void {
    this.res.destroy();
  }

  #read(chunk: string): void {
    this.text += chunk;
    const frames = (this.#rest + chunk).split('\n\n');
    this.#rest = frames.pop() ?? '';
    for (const frame of frames) {
      const data = /^data: (.+)$/m.exec(frame)?.[1];
      if (data !== undefined) this.messages.push(JSON.parse(data));
    }
  }
}

export async function openListen(
  url: string,
  uris: string[],
  extra: Record<string, string> = {},
  id: string | number = 'raw-1',
) {
  const notifications = {
    resourceSubscriptions: uris,
    resourcesListChanged: true,
    toolsListChanged: true,
    promptsListChanged: true,
  };
  const { headers, body } = rpcRequest('modern', 'subscriptions/listen', { notifications }, id);
  return new RawStream(await send(url, 'POST', { ...headers, ...extra }, JSON.stringify(body)));
}

export async function openGet(url: string, session: Record<string, string>): Promise<RawStream> {
  return new RawStream(await send(url, 'GET', { accept: 'text/event-stream', ...session }));
}

/** A live stream of these URIs, in either era. */
export async function openStream(
  url: string,
  era: Era,
  uris: string[],
  extra: Record<string, string> = {},
): Promise<RawStream> {
  if (era === 'modern') {
    const stream = await openListen(url, uris, extra);
    await stream.sees('the acknowledgement', ({ messages }) => messages.length > 0);
    return stream;
  }
  const session = await initialize(url, extra);
  for (const uri of uris) await ask(url, 'legacy', 'resources/subscribe', { uri }, session);
  return openGet(url, session);
}

export function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: string,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // No agent: destroying the stream must destroy its connection.
    const req = request(url, { method, headers, agent: false }, resolve);
    req.on('error', reject);
    req.end(body);
  });
}
