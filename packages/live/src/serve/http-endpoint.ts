// One endpoint for both eras: checks the caller, reads the body, and hands the request to the leg it
// belongs to. Mounts in any Node server as `(req, res)`.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { classifyInboundRequest, isJsonContentType } from '@modelcontextprotocol/server';
import { LiveError } from '../error.ts';
import type { Credential } from '../resource/caller.ts';
import type { Definition } from '../session/definition.ts';
import { tooDeep } from '../session/nesting.ts';
import { Streams } from '../session/streams.ts';
import { surprise } from '../session/wire-error.ts';
import { Refusal, hearOfClose, readBody, sendError } from './exchange.ts';
import { type Guard, type GuardOptions, createGuard } from './guard.ts';
import { LegacyLeg } from './legacy-leg.ts';
import { ModernLeg } from './modern-leg.ts';

export interface EndpointOptions extends GuardOptions {
  /** Who sends this request. Throw, or return nothing, to refuse it; leave it out to let everybody in. */
  authenticate?: (req: IncomingMessage) => Credential | undefined | Promise<Credential | undefined>;
  /** How often a quiet stream gets a comment; a peer that takes nothing for two of them is let go. */
  keepAliveMs?: number;
  /** How long a 2025-era session without an open stream or request is kept. */
  sessionIdleMs?: number;
}

export class HttpEndpoint {
  readonly #definition: Definition;
  readonly #options: EndpointOptions;
  readonly #guard: Guard;
  readonly #streams: Streams;
  readonly #modern: ModernLeg;
  readonly #legacy: LegacyLeg;
  #closing = false;

  constructor(definition: Definition, options: EndpointOptions = {}) {
    const { keepAliveMs = 15_000, sessionIdleMs = 30 * 60_000 } = options;
    this.#definition = definition;
    this.#options = options;
    this.#guard = createGuard(options);
    this.#streams = new Streams(definition.clock, definition.limits.streams, keepAliveMs);
    this.#modern = new ModernLeg(definition, this.#streams, keepAliveMs);
    this.#legacy = new LegacyLeg(definition, this.#streams, sessionIdleMs);
  }

  /** Open streams and 2025-era sessions. */
  get open(): { streams: number; sessions: number } {
    return { streams: this.#streams.size, sessions: this.#legacy.size };
  }

  /** The `(req, res)` face. It never rejects. */
  readonly handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    hearOfClose(res);
    try {
      await this.#handle(req, res);
    } catch (error) {
      if (error instanceof LiveError) sendError(res, error);
      // Otherwise the client went away in the middle of its own request: nobody is left to answer.
      else if (!req.destroyed || req.complete) sendError(res, surprise(error, undefined, this.#definition.log));
    }
  };

  /** Ends every stream with what is still due, and every session. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#modern.close();
    await this.#legacy.close();
  }

  async #handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (this.#closing) throw new LiveError('UNAVAILABLE', 'This server is shutting down.');
    this.#guard(req);
    const auth = await this.#authenticate(req);
    if (req.method === 'GET' || req.method === 'DELETE') {
      await this.#legacy.handle(req, res, { era: 'legacy', transport: 'http', auth }, undefined);
      return;
    }
    if (req.method !== 'POST') {
      res.setHeader('Allow', 'GET, POST, DELETE');
      throw new Refusal(405, 'INVALID_PARAMS', 'MCP is spoken by POST, and by GET and DELETE for sessions.');
    }
    const modern = { era: 'modern', transport: 'http', auth } as const;
    // The SDK refuses another media type without looking at the body, so none is read.
    if (!isJsonContentType(req.headers['content-type'] ?? null)) {
      await this.#modern.handle(req, res, modern, undefined);
      return;
    }
    const text = await readBody(req, this.#definition.limits.bodyBytes);
    const body = parseJson(text);
    const refusal = tooDeep(body);
    if (refusal) throw refusal;
    if (body === undefined) {
      await this.#modern.handle(req, res, modern, undefined, text);
    } else if (classify(req, body) === 'legacy') {
      await this.#legacy.handle(req, res, { ...modern, era: 'legacy' }, body);
    } else {
      await this.#modern.handle(req, res, modern, body);
    }
  }

  async #authenticate(req: IncomingMessage): Promise<Credential | undefined> {
    const { authenticate } = this.#options;
    if (!authenticate) return undefined;
    const credential = await authenticate(req);
    if (!credential) {
      throw new Refusal(401, 'PERMISSION_DENIED', 'This server needs credentials: send an Authorization header.');
    }
    return credential;
  }
}

function classify(req: IncomingMessage, body: unknown): 'legacy' | 'modern' | 'reject' {
  const header = (name: string) => [req.headers[name]].flat()[0];
  const version = header('mcp-protocol-version');
  const method = header('mcp-method');
  return classifyInboundRequest({
    httpMethod: 'POST',
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(method !== undefined && { mcpMethodHeader: method }),
    body,
  }).kind;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
