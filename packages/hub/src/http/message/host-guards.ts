// The checks of the Host and Origin headers, with the names of the settings that allow more.
import type { IncomingMessage } from 'node:http';
import { createGuard, createHostGuard } from '@tidings/live/internal';
import type { Forwarded } from './forwarded.ts';

interface HostGuardsDeps {
  /** Host names by which clients reach the hub. */
  hosts(this: void): readonly string[];
  /** Origins of other pages that may call the hub. */
  corsOrigins(this: void): readonly string[];
  forwarded: Pick<Forwarded, 'isTls'>;
}

export interface HostGuards {
  /** Checks both headers. */
  assertAllowed(this: void, req: IncomingMessage): void;
  /** The check for routes that pages of any origin may read. */
  assertHost(this: void, req: IncomingMessage): void;
}

export function hostGuards({ hosts, corsOrigins, forwarded: { isTls } }: HostGuardsDeps): HostGuards {
  const settings = {
    hosts: '"hosts" in the configuration, or start the hub with --allow-host',
    origins: '"cors" in the configuration',
  };
  return {
    assertAllowed: createGuard({ allowedHosts: hosts, allowedOrigins: corsOrigins, isTls, settings }),
    assertHost: createHostGuard({ allowedHosts: hosts, settings }),
  };
}
