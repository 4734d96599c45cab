// Who sends a request that was admitted, and with whose gateways and permissions it is answered.
import type { IncomingMessage } from 'node:http';
import type { Caller } from '@tidings/live';
import type { Permissions } from '../../access/permissions.ts';
import type { CallerGateways } from '../../gateway/caller-gateways.ts';
import type { Gateways } from '../../gateway/gateways.ts';
import type { Admitted } from './admission.ts';

export class RequestCallers {
  readonly #gateways: CallerGateways;
  readonly #admitted = new WeakMap<IncomingMessage, Admitted>();

  constructor(gateways: CallerGateways) {
    this.#gateways = gateways;
  }

  admit(req: IncomingMessage, admitted: Admitted): void {
    this.#admitted.set(req, admitted);
  }

  /** Undefined for a request that was not admitted (yet). */
  admittedOf(req: IncomingMessage): Admitted | undefined {
    return this.#admitted.get(req);
  }

  callerOf(req: IncomingMessage): Caller {
    return { era: 'modern', transport: 'http', auth: this.#admitted.get(req)?.principal };
  }

  gatewaysOf(req: IncomingMessage): Gateways {
    return this.#gateways.of(this.callerOf(req));
  }

  /** Once they have the lists of their servers. An edit of the configuration may replace them meanwhile. */
  async settledGatewaysOf(req: IncomingMessage): Promise<Gateways> {
    await this.gatewaysOf(req).common.settled();
    return this.gatewaysOf(req);
  }

  permissionsOf(req: IncomingMessage): Permissions {
    return this.#gateways.permissionsOf(this.callerOf(req));
  }
}
