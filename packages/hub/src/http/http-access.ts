// Who may reach the hub, and from where, under the present configuration.
import type { Config } from '@tidings/track';
import type { Callers } from '../access/callers.ts';

export interface HttpAccess {
  callers(this: void): Callers;
  /** Host names by which clients reach the hub. */
  hosts(this: void): readonly string[];
  /** Addresses of trusted proxies. */
  proxies(this: void): readonly string[];
  /** Origins of other pages that may call the hub. */
  corsOrigins(this: void): readonly string[];
}

interface HttpAccessDeps {
  config: () => Pick<Config, 'hosts' | 'proxies' | 'cors'>;
  callers: () => Callers;
  /** Host names that are not in the configuration. */
  hosts: readonly string[];
}

export function httpAccess({ config, callers, hosts }: HttpAccessDeps): HttpAccess {
  return {
    callers,
    hosts: () => [...hosts, ...(config().hosts ?? [])],
    proxies: () => config().proxies ?? [],
    corsOrigins: () => config().cors ?? [],
  };
}
