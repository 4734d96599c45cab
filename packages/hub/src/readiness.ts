// Whether a node may get requests, as `/readyz` answers a balancer.
import type { ServerStatus } from '@tidings/client/contract';

type ServerCondition = Pick<ServerStatus, 'state' | 'failures' | 'detail'>;

export class Readiness {
  readonly #servers: () => readonly ServerCondition[];
  #wasReady = false;
  #isStopping = false;

  constructor(servers: () => readonly ServerCondition[]) {
    this.#servers = servers;
  }

  /**
   * Whether every server was connected or has failed at least once. Stays true from then on: if a balancer removed a
   * node because its servers reconnect (as in a takeover), the other nodes would get even more clients.
   */
  get isReady(): boolean {
    this.#wasReady ||= this.#servers().every(isKnown);
    return this.#wasReady;
  }

  get state(): 'starting' | 'ready' | 'stopping' {
    if (this.#isStopping) return 'stopping';
    return this.isReady ? 'ready' : 'starting';
  }

  /** From now on the state is `stopping`. */
  stop(): void {
    this.#isStopping = true;
  }
}

function isKnown({ state, detail, failures }: ServerCondition): boolean {
  return state !== 'connecting' || failures > 0 || detail !== '';
}
