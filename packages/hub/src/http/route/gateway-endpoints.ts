// The MCP endpoints of all gateways of the hub: those that callers share, and those of each user who has its own. A
// request that reaches one has been guarded and admitted by hub-http.ts.
import type { Caller, Log, NodeEndpoint, NodeEndpointOptions } from '@tidings/live';
import { endpointPath } from '../../access/endpoint-path.ts';
import type { Gateways } from '../../gateway/gateways.ts';
import type { HttpAudit } from '../admission/http-audit.ts';
import type { RequestCallers } from '../admission/request-callers.ts';
import type { ConnectionAt, KnownClients } from '../connection/known-clients.ts';
import type { OpenAnswers } from '../connection/open-answers.ts';
import type { Forwarded } from '../message/forwarded.ts';
import { McpEndpoints } from './mcp-endpoints.ts';

interface GatewayEndpointsDeps {
  callers: Pick<RequestCallers, 'admittedOf'>;
  forwarded: Pick<Forwarded, 'addressOf'>;
  audit: Pick<HttpAudit, 'observer'>;
  clients: Pick<KnownClients, 'seen'>;
  open: Pick<OpenAnswers, 'keep' | 'keepRequest'>;
  log: Log;
}

export class GatewayEndpoints {
  readonly #deps: GatewayEndpointsDeps;
  readonly #endpoints = new Map<Gateways, McpEndpoints>();

  constructor(deps: GatewayEndpointsDeps) {
    this.#deps = deps;
  }

  of(gateways: Gateways): McpEndpoints {
    let endpoints = this.#endpoints.get(gateways);
    if (endpoints === undefined) {
      endpoints = new McpEndpoints(gateways.common.server, (id) => this.#optionsFor(id));
      this.#endpoints.set(gateways, endpoints);
    }
    return endpoints;
  }

  get all(): NodeEndpoint[] {
    return [...this.#endpoints.values()].flatMap((endpoints) => endpoints.all);
  }

  connections(): ConnectionAt[] {
    return [...this.#endpoints.values()].flatMap((endpoints) => endpoints.connections());
  }

  /** Ends the sessions of these callers at these gateways. */
  endSessions(isEnded: (auth: Caller['auth'], gateways: Gateways) => boolean): void {
    for (const [gateways, { all }] of this.#endpoints) {
      for (const endpoint of all) {
        endpoint
          .endSessions((auth) => isEnded(auth, gateways))
          .catch((error: unknown) => this.#deps.log.error({ err: error }, 'A session could not be ended.'));
      }
    }
  }

  async close(gateways: Gateways): Promise<void> {
    const endpoints = this.#endpoints.get(gateways);
    this.#endpoints.delete(gateways);
    await Promise.all((endpoints?.all ?? []).map((endpoint) => endpoint.close()));
  }

  /** Of the endpoint of one server, or of all. */
  #optionsFor(id: string | undefined): NodeEndpointOptions {
    const { callers, forwarded, audit, clients, open } = this.#deps;
    const record = audit.observer(id);
    return {
      guard: () => undefined,
      authenticate: (req) => callers.admittedOf(req)?.principal,
      addressOf: forwarded.addressOf,
      observe: (request) => {
        record(request);
        clients.seen(request, endpointPath(id));
      },
      room: (res, bytes, what) => {
        if (what === 'request') open.keepRequest(res, bytes);
        else open.keep(res, bytes);
      },
    };
  }
}
