// What is worth saying about refusals: each once, a few by name, and all of them in one line where a
// server agrees to nothing.
import type { Refusal } from './subscriptions.ts';

const named = 20;

export interface News {
  error: string;
  uri?: string;
}

export class RefusalNews {
  #told = new Map<string, string>();

  /** What is new in these refusals, while so many URIs are wanted. `isWhole`: there are no others. */
  of(refusals: readonly Refusal[], wanted: number, isWhole: boolean): News[] {
    const lasting = refusals.filter(({ isTransient }) => !isTransient);
    const fresh = lasting.filter(({ uri, reason }) => this.#told.get(uri) !== reason);
    if (isWhole) this.#told = new Map();
    for (const { uri, reason } of lasting) this.#told.set(uri, reason);
    return [...unanswered(refusals.length - lasting.length), ...refused(fresh, this.#told.size, wanted)];
  }

  /** It is not asked for any more. */
  forget(uri: string): void {
    this.#told.delete(uri);
  }
}

function unanswered(count: number): News[] {
  return count === 0 ? [] : [{ error: `${count} subscriptions were not answered; trying again.` }];
}

function refused(fresh: readonly Refusal[], all: number, wanted: number): News[] {
  if (fresh.length === 0) return [];
  if (all === wanted && wanted > 1) {
    return [{ error: `The server agrees to tell about none of ${wanted} resources; they are polled instead.` }];
  }
  const rest = fresh.length - named;
  const byName = fresh.slice(0, named).map(({ uri, reason }) => ({ uri, error: reason }));
  return rest > 0 ? [...byName, { error: `${rest} more resources were refused.` }] : byName;
}
