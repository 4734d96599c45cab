// A fetch whose requests are sent again where their connection is dead. Reads are repeated by `UpstreamRequests`.
import { CopyBudget } from '../../base/copy-budget.ts';
import { sentUntil } from '../../base/sent.ts';
import { isRepeatable } from '../repeatable.ts';
import type { Resending } from './resending.ts';

export function resendingFetch(base: typeof fetch, resending: Resending): typeof fetch {
  return async (input, init = {}) => {
    if (!isStream(init) && !isRepeatable(methodOf(init))) return base(input, init);
    const { signal } = init;
    const copies = methodOf(init) === 'resources/read' ? new CopyBudget(1) : undefined;
    const sent = resending.send(() => sentUntil((own) => base(input, { ...init, signal: own })), copies);
    const abort = () => sent.giveUp(signal?.reason);
    // Kept until the body has been read: the caller may still abort the request.
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted === true) abort();
    try {
      return await sent.answer;
    } catch (error) {
      signal?.removeEventListener('abort', abort);
      throw error;
    }
  };
}

/** Streams are answered when they begin. One that is requested twice is used once; the other is given up. */
function isStream(init: RequestInit): boolean {
  return init.method === 'GET' || methodOf(init) === 'subscriptions/listen';
}

/** The SDK writes the method first. */
function methodOf({ body }: RequestInit): string {
  return typeof body === 'string' ? (/^\{"method":"([^"]+)"/.exec(body)?.[1] ?? '') : '';
}
