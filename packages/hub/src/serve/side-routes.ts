// The routes of `tidings serve NAME --port` besides /mcp: /healthz, /metrics, /resources/{URI}, and those of the server
// itself. All but /healthz require the same token and apply the same permissions and redactions as MCP: they are calls
// of an MCP client with the caller's credential.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Client } from '@modelcontextprotocol/client';
import { type Credential, type ErrorCode, LiveError, type LiveServer, type Log, errorCodes } from '@tidings/live';
import { z } from 'zod';
import { requestTarget } from '@tidings/live/internal';
import { HttpRefusal, answerForError, sendJson } from '../http/message/answer.ts';
import { bridged, decodedUri } from '../http/route/bridge.ts';
import { assertJson } from '../http/message/body.ts';
import { assertNotForeign, assertNotRun } from '../http/message/cross-origin.ts';
import { setSecurityHeaders } from '../http/message/security-headers.ts';
import { readOnce } from '../base/read-once.ts';
import type { Exposure } from '../setup/exposure.ts';
import type { ServeMetrics } from './serve-metrics.ts';

/** Answers a request under its path; undefined if it has no such route. */
export type OwnRoutes = (request: OwnRequest) => Promise<OwnAnswer | undefined>;

export interface OwnRequest {
  method: string;
  url: URL;
  req: IncomingMessage;
  client: Client;
}

export interface OwnAnswer {
  status: number;
  body: object;
}

interface SideRoutesOptions extends Pick<Exposure, 'authenticate'> {
  /** Throws if the request's Host or Origin must be refused. */
  guard(this: void, req: IncomingMessage): void;
  server: LiveServer;
  log: Log;
  metrics: ServeMetrics;
  routes?: OwnRoutes | undefined;
}

export class SideRoutes {
  readonly #options: SideRoutesOptions;
  readonly #clients = new Map<string, Promise<Client>>();

  constructor(options: SideRoutesOptions) {
    this.#options = options;
  }

  readonly handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    try {
      setSecurityHeaders(res, req.url ?? '/', false);
      this.#options.guard(req);
      assertNotForeign(req);
      await this.#route(req, res);
    } catch (error) {
      const { status, body } = answerForError(error, this.#options.log);
      sendJson(res, status, body);
    }
  };

  async close(): Promise<void> {
    for (const client of this.#clients.values()) await (await client.catch(() => undefined))?.close();
  }

  async #route(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = requestTarget(req);
    const { method = 'GET' } = req;
    if (url === undefined) throw new LiveError('INVALID_PARAMS', 'The request target is not a valid URL.');
    if (url.pathname === '/healthz') return sendJson(res, 200, { status: 'ok' });
    const { authenticate, metrics, routes } = this.#options;
    const credential = authenticate?.(req);
    if (authenticate !== undefined && credential === undefined) {
      res.setHeader('WWW-Authenticate', 'Bearer');
      throw new HttpRefusal(401, 'PERMISSION_DENIED', tokenRequired);
    }
    if (url.pathname === '/metrics') {
      res.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(await metrics.text());
      return;
    }
    assertJson(req);
    const client = await this.#clientOf(credential);
    if (url.pathname.startsWith(resources)) {
      assertNotRun(req);
      return this.#resource(req, res, client, url);
    }
    const own = await routes?.({ method, url, req, client });
    if (own !== undefined) return sendJson(res, own.status, own.body);
    const paths = `/mcp, ${resources}{URI}, /healthz and /metrics${routes ? ', and /api/v1' : ''}`;
    throw new LiveError('RESOURCE_NOT_FOUND', `Nothing here: this server answers at ${paths}.`);
  }

  async #resource({ method, headers }: IncomingMessage, res: ServerResponse, client: Client, url: URL): Promise<void> {
    if (method !== 'GET' && method !== 'HEAD') throw new LiveError('INVALID_PARAMS', 'Resources are read with GET.');
    const uri = decodedUri(url.pathname.slice(resources.length));
    const read = readOnce(client, { uri }).catch((error: unknown) => {
      throw answeredError(error) ?? error;
    });
    const { body, type, etag } = bridged(await read);
    // A script in a resource must not run as a page of this server.
    const safe = { 'Content-Security-Policy': 'sandbox', 'Cache-Control': 'no-cache' };
    if (headers['if-none-match'] === etag) return void res.writeHead(304, { ETag: etag }).end();
    res.writeHead(200, { 'Content-Type': type, 'Content-Length': body.length, ETag: etag, ...safe });
    res.end(method === 'HEAD' ? undefined : body);
  }

  /** One client per credential: with the token, or without. */
  #clientOf(credential: Credential | undefined): Promise<Client> {
    const key = JSON.stringify(credential ?? null);
    const client = this.#clients.get(key) ?? connected(this.#options.server, credential);
    this.#clients.set(key, client);
    return client;
  }
}

/** Connected on first use: most servers get only MCP requests, and start without the client. */
async function connected(server: LiveServer, credential: Credential | undefined): Promise<Client> {
  const { clientInMemory } = await import('../base/client-in-memory.ts');
  return clientInMemory(server, credential);
}

const resources = '/resources/';
const tokenRequired = 'This server requires a token: send "Authorization: Bearer …".';
export const codeSchema = z.custom<ErrorCode>((code) => typeof code === 'string' && Object.hasOwn(errorCodes, code));

/** The server's error: the client's have its code in their data. Undefined for an error of another kind. */
export function answeredError(error: unknown): LiveError | undefined {
  const { data, message }: { data?: { code?: unknown }; message?: string } = Object(error);
  const code = codeSchema.safeParse(data?.code).data;
  return code && new LiveError(code, message ?? '');
}
