// The hub's MCP endpoints: `/mcp`, and `/mcp/{id}` of each server that was asked for.
import { type LiveServer, type NodeEndpoint, type NodeEndpointOptions, httpEndpoint } from '@tidings/live';
import { endpointPath } from '../../access/endpoint-path.ts';
import type { ConnectionAt } from '../connection/known-clients.ts';

export class McpEndpoints {
  readonly gateway: NodeEndpoint;
  readonly #optionsFor: (id: string | undefined) => NodeEndpointOptions;
  readonly #singles = new Map<LiveServer, { path: string; endpoint: NodeEndpoint }>();

  /** `optionsFor` the endpoint of one server, or of all. */
  constructor(gateway: LiveServer, optionsFor: (id: string | undefined) => NodeEndpointOptions) {
    this.#optionsFor = optionsFor;
    this.gateway = httpEndpoint(gateway, optionsFor(undefined));
  }

  single(server: LiveServer, id: string): NodeEndpoint {
    let single = this.#singles.get(server);
    if (single === undefined) {
      single = { path: endpointPath(id), endpoint: httpEndpoint(server, this.#optionsFor(id)) };
      this.#singles.set(server, single);
    }
    return single.endpoint;
  }

  get all(): NodeEndpoint[] {
    return [this.gateway, ...[...this.#singles.values()].map(({ endpoint }) => endpoint)];
  }

  connections(): ConnectionAt[] {
    const all = [{ path: endpointPath(), endpoint: this.gateway }, ...this.#singles.values()];
    return all.flatMap(({ path, endpoint }) =>
      endpoint.connections().map((connection) => ({ connection, endpoint: path })),
    );
  }
}
