// An MCP server over HTTP in either era that sends given responses and records requests.
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  createServer,
} from 'node:http';
import type { Era } from '@tidings/live/testing';
import type { UrlEntry } from '@tidings/track';
import { z } from 'zod';

export interface SentRequest {
  method: string;
  params: Record<string, unknown>;
  headers: IncomingHttpHeaders;
}

export interface Script {
  serverInfo: Record<string, unknown>;
  capabilities: Record<string, unknown>;
  instructions?: string;
  /** Returns the result of a request; a thrown `ScriptedError` is its error. */
  answer(this: void, method: string, params: Record<string, unknown>): Record<string, unknown>;
}

/** Thrown by a script: the error on the wire. */
export class ScriptedError extends Error {
  readonly wire: { code: number; message: string; data?: unknown };

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.wire = { code, message, ...(data !== undefined && { data }) };
  }
}

const messageSchema = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z.record(z.string(), z.unknown()).default({}),
});

const serverInfoKey = 'io.modelcontextprotocol/serverInfo';

export class ScriptedUpstream implements AsyncDisposable {
  readonly sent: SentRequest[] = [];
  readonly #era: Era;
  readonly #script: Script;
  readonly #http: Server;
  #port = 0;

  private constructor(era: Era, script: Script) {
    this.#era = era;
    this.#script = script;
    this.#http = createServer((req, res) => void this.#handle(req, res));
  }

  static async start(era: Era, script: Script): Promise<ScriptedUpstream> {
    const upstream = new ScriptedUpstream(era, script);
    await new Promise<void>((resolve) => void upstream.#http.listen(0, '127.0.0.1', resolve));
    const address = upstream.#http.address();
    if (address !== null && typeof address === 'object') upstream.#port = address.port;
    return upstream;
  }

  entry(id: string): UrlEntry {
    return { id, url: `http://127.0.0.1:${this.#port}/mcp`, headers: {}, enabled: true, trackResources: false };
  }

  /** The latest request of this method. */
  last(method: string): SentRequest | undefined {
    return this.sent.findLast((each) => each.method === method);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#http.closeAllConnections();
    await new Promise((resolve) => void this.#http.close(resolve));
  }

  async #handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (req.method !== 'POST') {
      res.writeHead(405).end();
      return;
    }
    const { id, method, params } = messageSchema.parse(JSON.parse(Buffer.concat(await req.toArray()).toString()));
    this.sent.push({ method, params, headers: req.headers });
    if (id === undefined) {
      res.writeHead(202).end();
      return;
    }
    const answer = JSON.stringify({ jsonrpc: '2.0', id, ...this.#answer(method, params) });
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(answer);
  }

  #answer(method: string, params: Record<string, unknown>): { result: unknown } | { error: unknown } {
    try {
      return { result: this.#result(method, params) };
    } catch (error) {
      return { error: error instanceof ScriptedError ? error.wire : { code: -32603, message: String(error) } };
    }
  }

  #result(method: string, params: Record<string, unknown>): unknown {
    const { serverInfo, capabilities, instructions } = this.#script;
    const introduction = { capabilities, ...(instructions !== undefined && { instructions }) };
    if (this.#era === 'legacy') {
      if (method === 'initialize') return { protocolVersion: '2025-11-25', serverInfo, ...introduction };
      if (method === 'ping' || method === 'logging/setLevel') return {};
      if (method === 'server/discover') throw new ScriptedError(-32601, 'Method not found');
      return this.#script.answer(method, params);
    }
    const common = { resultType: 'complete', _meta: { [serverInfoKey]: serverInfo } };
    if (method === 'server/discover') {
      return { ...common, ttlMs: 60_000, cacheScope: 'public', supportedVersions: ['2026-07-28'], ...introduction };
    }
    const answer = this.#script.answer(method, params);
    return { ...common, ...answer, _meta: { ...common._meta, ...Object(answer['_meta']) } };
  }
}
