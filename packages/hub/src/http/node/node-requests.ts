// Requests of other nodes, under `/node/`: the servers that this node is connected to, notifications for its agent
// sessions, and routes to state that only this node has. They carry the secret that the nodes share. Requests for other
// servers are refused: forwarded between nodes that disagree about the owner, they could loop.
import { decodedIfValid } from '@tidings/live/portable';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LiveError, type LiveServer, type NodeEndpoint, httpEndpoint } from '@tidings/live';
import { bearerTokenOf, isSameSecret } from '@tidings/live/internal';
import { nodePrincipal } from '../../access/node-principal.ts';
import { type DueNotification, dueNotification } from '../../agent/message/notification-messages.ts';
import { notificationsPath } from '../../agent/notify-at-node.ts';
import { bodyOf } from '../message/body.ts';
import { subjectHeader } from './pass-to-node.ts';

const prefix = '/node';

interface NodeRequestsDeps {
  /** The secret that the nodes share; undefined without a cluster. */
  secret: string | undefined;
  /** Whether this node is connected to the server, and has asked it for its list. */
  isConnected(this: void, serverId: string): boolean;
  single(this: void, serverId: string): Promise<LiveServer | undefined>;
  /** Sends a notification to an agent session of this node. Resolves when it has arrived. */
  notify(this: void, sessionId: string, due: DueNotification): Promise<void>;
  /** Answers the hub's own routes. `passedFor`: the subject of the other node's caller. */
  api(this: void, req: IncomingMessage, res: ServerResponse, passedFor: string | undefined): unknown;
}

export class NodeRequests {
  readonly #deps: NodeRequestsDeps;
  readonly #endpoints = new Map<LiveServer, NodeEndpoint>();

  constructor(deps: NodeRequestsDeps) {
    this.#deps = deps;
  }

  get endpoints(): Iterable<NodeEndpoint> {
    return this.#endpoints.values();
  }

  /** Whether the request comes from another node. Without the secret, its path counts as not found. */
  accepts(req: IncomingMessage, pathname: string): boolean {
    const { secret } = this.#deps;
    if (secret === undefined || !pathname.startsWith(`${prefix}/`)) return false;
    return isSameSecret(bearerTokenOf(req) ?? '', secret);
  }

  async handle(req: IncomingMessage, res: ServerResponse, pathname: string): Promise<void> {
    if (pathname.startsWith(notificationsPath)) {
      const session = decodedIfValid(pathname.slice(notificationsPath.length));
      await this.#deps.notify(session, dueNotification.parse(await bodyOf(req)));
      res.writeHead(204).end();
      return;
    }
    const [, id] = /^\/node\/mcp\/([^/]+)$/.exec(pathname) ?? [];
    if (id === undefined) {
      req.url = req.url?.slice(prefix.length);
      await this.#deps.api(req, res, passedFor(req));
      return;
    }
    // Until then other nodes wait, instead of asking again and again for what is not known.
    const server = this.#deps.isConnected(id) ? await this.#deps.single(id) : undefined;
    if (server === undefined) throw new LiveError('UNAVAILABLE', `This node is not connected to the server "${id}".`);
    await this.#endpointOf(server).handle(req, res);
  }

  #endpointOf(server: LiveServer): NodeEndpoint {
    let endpoint = this.#endpoints.get(server);
    if (endpoint === undefined) {
      endpoint = httpEndpoint(server, { guard: () => undefined, authenticate: () => nodePrincipal });
      this.#endpoints.set(server, endpoint);
    }
    return endpoint;
  }
}

function passedFor({ headers }: IncomingMessage): string | undefined {
  const subject = headers[subjectHeader];
  return typeof subject === 'string' ? Buffer.from(subject, 'base64url').toString() : undefined;
}
