// Whether a caller may see a tool or prompt.
import { isPromiseLike } from '../../portable/is-promise-like.ts';
import type { Caller } from '../../resource/caller.ts';

interface Shown {
  readonly options: { visibleTo?: ((caller: Caller) => boolean) | undefined };
}

/**
 * Without `visibleTo`, every caller may see it. Plain JavaScript may return anything: undefined and a promise count as
 * no.
 */
export function isVisibleTo(caller: Caller, { options: { visibleTo } }: Shown): boolean {
  if (visibleTo === undefined) return true;
  const answer: unknown = visibleTo(caller);
  return Boolean(answer) && !isPromiseLike(answer);
}
