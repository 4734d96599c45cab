// The MCP endpoints of all gateways of the hub: those that callers share, and those of each user who has its own.
import type { NodeEndpoint, NodeEndpointOptions } from '@tidings/live';
import type { Gateways } from '../../gateway/gateways.ts';
import type { ConnectionAt } from '../connection/known-clients.ts';
import { McpEndpoints } from './mcp-endpoints.ts';

export class GatewayEndpoints {
  readonly #optionsFor: (id: string | undefined) => NodeEndpointOptions;
  readonly #endpoints = new Map<Gateways, McpEndpoints>();

  /** `optionsFor` the endpoint of one server, or of all. */
  constructor(optionsFor: (id: string | undefined) => NodeEndpointOptions) {
    this.#optionsFor = optionsFor;
  }

  of(gateways: Gateways): McpEndpoints {
    let endpoints = this.#endpoints.get(gateways);
    if (endpoints === undefined) {
      endpoints = new McpEndpoints(gateways.common.server, this.#optionsFor);
      this.#endpoints.set(gateways, endpoints);
    }
    return endpoints;
  }

  get all(): NodeEndpoint[] {
    return [...this.#endpoints.values()].flatMap((endpoints) => endpoints.all);
  }

  /** Each endpoint with the gateways that it belongs to. */
  get owned(): { endpoint: NodeEndpoint; of: Gateways }[] {
    return [...this.#endpoints].flatMap(([of, { all }]) => all.map((endpoint) => ({ endpoint, of })));
  }

  connections(): ConnectionAt[] {
    return [...this.#endpoints.values()].flatMap((endpoints) => endpoints.connections());
  }

  async close(gateways: Gateways): Promise<void> {
    const endpoints = this.#endpoints.get(gateways);
    this.#endpoints.delete(gateways);
    await Promise.all((endpoints?.all ?? []).map((endpoint) => endpoint.close()));
  }
}
