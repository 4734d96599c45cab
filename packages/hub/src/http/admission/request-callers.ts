// Who sends a request that was admitted, with whose gateways and permissions it is answered, and whether it may concern
// all callers.
import type { IncomingMessage } from 'node:http';
import { type Caller, LiveError } from '@tidings/live';
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
    await this.gatewaysOf(req).common.firstListsRead();
    return this.gatewaysOf(req);
  }

  permissionsOf(req: IncomingMessage): Permissions {
    return this.#gateways.permissionsOf(this.callerOf(req));
  }

  /** Refuses limited callers, for routes that show everything or change something for all callers. */
  assertWhole(req: IncomingMessage): void {
    if (this.permissionsOf(req).isWhole) return;
    throw new LiveError('PERMISSION_DENIED', 'Your token is limited; this needs an unlimited one.');
  }

  /**
   * For what also shows the operator's own logins: refuses limited callers and, where a server has logins per user, all
   * but the operator. A server with logins per user that is removed, and added again without them, is reached with the
   * operator's login.
   */
  assertSeesAllLogins(req: IncomingMessage): void {
    this.assertWhole(req);
    if (!this.#gateways.hasSecrets || this.permissionsOf(req).isOperator) return;
    const message =
      'A server here has a login for each user, so only the operator of the hub (TIDINGS_TOKEN) may do this.';
    throw new LiveError('PERMISSION_DENIED', message);
  }
}
