// What one caller may know of: servers that can keep what its credentials promise, and of those the resources
// that its credentials open.
import type { Caller } from '@tidings/live';
import { type Scope, redactionOf, scopeOf } from './scope.ts';

export interface Sight {
  readonly scope: Scope;
  /** Whether this server is there for the caller at all. */
  sees(this: void, serverId: string): boolean;
}

export type SightOf = (caller: Pick<Caller, 'auth'>) => Sight;

/** `redacts` says which servers keep to a redaction. One that is gone can no longer be asked. */
export function sights(redacts: (serverId: string) => boolean): SightOf {
  return (caller) => ({
    scope: scopeOf(caller),
    sees: redactionOf(caller) === undefined ? () => true : redacts,
  });
}
