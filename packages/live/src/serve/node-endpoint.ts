// The endpoint as a handler for Node servers.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerDefinition } from '../definition/server-definition.ts';
import { createGuard } from './admission/guard.ts';
import type { EndpointOptions } from './endpoint-options.ts';
import { HttpEndpoint } from './http-endpoint.ts';
import { type AnswerRoom, NodeExchange } from './exchange/node-exchange.ts';
import type { Recognise } from './exchange/plain-http-request.ts';

/** The options of an endpoint in Node. Default: answers callers on this machine, without credentials. */
export interface NodeEndpointOptions extends EndpointOptions {
  /**
   * Called before a large answer is written, with its size in bytes: it stays in memory until the client has read it.
   * Throw `LimitExceeded` to refuse it. Default: there is room.
   */
  room?: AnswerRoom;
}

/**
 * One path of a Node server, made by `httpEndpoint`.
 *
 * @example
 * createServer(endpoint.handle).listen(3000);
 */
export class NodeEndpoint extends HttpEndpoint<IncomingMessage> {
  readonly #room: AnswerRoom | undefined;

  constructor(definition: ServerDefinition, options: NodeEndpointOptions = {}, recognise?: Recognise) {
    const addressOf = ({ socket }: IncomingMessage) => socket.remoteAddress;
    super(definition, options, { guard: createGuard(options), addressOf }, recognise);
    this.#room = options.room;
  }

  /**
   * The `(req, res)` handler. It never rejects. A body that a framework has read already is taken from `req.body`, or
   * from `body` if it is kept elsewhere: parsed, as text or as bytes.
   */
  readonly handle = (req: IncomingMessage, res: ServerResponse, body?: unknown): Promise<void> =>
    // Middleware gets a function (`next`) as its third argument.
    this.serve(new NodeExchange(req, res, { body: typeof body === 'function' ? undefined : body, room: this.#room }));
}
