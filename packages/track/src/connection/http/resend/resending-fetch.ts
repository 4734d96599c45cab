// A fetch that sends requests again if their connection is dead. Reads are repeated by `UpstreamRequests`.
import { onAbort } from '@tidings/live/time';
import { CopyBudget } from '../../../base/copy-budget.ts';
import { cancellable } from '../../../base/cancellable-request.ts';
import { isRepeatable } from '../../message/repeatable.ts';
import type { Resending } from './resending.ts';

export function resendingFetch(base: typeof fetch, resending: Resending): typeof fetch {
  return async (input, init = {}) => {
    if (!isStream(init) && !isRepeatable(methodOf(init))) return base(input, init);
    const { signal } = init;
    const copies = methodOf(init) === 'resources/read' ? new CopyBudget(1) : undefined;
    const sent = resending.send(() => cancellable((own) => base(input, { ...init, signal: own })), copies);
    // After success the signal stays linked, because the caller may abort while the body is read.
    const unlink = onAbort(signal, (reason) => sent.cancel(reason));
    try {
      return await sent.answer;
    } catch (error) {
      unlink();
      throw error;
    }
  };
}

/** A stream counts as answered when it begins. If it was requested twice, the second is given up. */
function isStream(init: RequestInit): boolean {
  return init.method === 'GET' || methodOf(init) === 'subscriptions/listen';
}

/** The SDK writes the method first. */
function methodOf({ body }: RequestInit): string {
  return typeof body === 'string' ? (/^\{"method":"([^"]+)"/.exec(body)?.[1] ?? '') : '';
}
