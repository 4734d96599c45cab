// The principal of another node of the cluster, which sends requests for its own clients and has already checked their
// permissions.
import type { Caller } from '@tidings/live';
import { nodeSubject } from './token/distinct-principals.ts';
import { Grant, type Principal } from './grant.ts';

export const nodePrincipal: Principal = { subject: nodeSubject, grant: new Grant(), isOperator: true };

export function isNode({ auth }: Pick<Caller, 'auth'>): boolean {
  return auth === nodePrincipal;
}
