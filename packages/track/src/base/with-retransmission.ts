// Repeats a request that gets no answer for a while: the request or its answer may have been lost or damaged. The first
// answer counts, even an error. Only for requests that may be answered twice.
import type { Clock, Timer } from '@tidings/live';
import { onAbort } from '@tidings/live/time';
import { CopyBudget } from './copy-budget.ts';
import type { CancellableRequest } from './cancellable-request.ts';

/**
 * `pausesMs`: the pause before each repetition. `ask` may send copies too; all of them together are limited by
 * `copies`.
 */
export async function withRetransmission<T>(
  clock: Clock,
  pausesMs: readonly number[],
  ask: (copies: CopyBudget) => CancellableRequest<T>,
  signal?: AbortSignal,
): Promise<T> {
  const open = new Set<CancellableRequest<T>>();
  const copies = new CopyBudget(pausesMs.length + 1);
  let timer: Timer | undefined;
  let unlink: () => void = () => undefined;
  try {
    return await new Promise<T>((resolve, reject) => {
      unlink = onAbort(signal, reject);
      if (signal?.aborted) return;
      const send = (attempts: number) => {
        if (copies.isEmpty) return;
        const own = ask(copies);
        open.add(own);
        // An answered request is not cancelled: that would be another message to the server.
        void own.answer.finally(() => open.delete(own)).then(resolve, reject);
        const pauseMs = pausesMs[attempts];
        timer = pauseMs === undefined ? undefined : clock.after(pauseMs, () => send(attempts + 1));
      };
      send(0);
    });
  } finally {
    timer?.cancel();
    unlink();
    for (const other of open) other.cancel();
  }
}
