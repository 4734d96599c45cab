// Work that ends with an abort signal.

/**
 * Calls `listener` with the reason when `signal` is aborted; at once if it already is. Returns a function that stops
 * this. (`AbortSignal.any` cannot be stopped: a signal that outlives many requests would keep a reference to each.)
 *
 * @example
 * const stop = onAbort(signal, () => request.cancel());
 */
export function onAbort(signal: AbortSignal | null | undefined, listener: (reason: unknown) => void): () => void {
  const aborted = () => listener(signal?.reason);
  if (signal?.aborted) aborted();
  else signal?.addEventListener('abort', aborted, { once: true });
  return () => signal?.removeEventListener('abort', aborted);
}

/**
 * Settles as `work` does; rejects with the reason of `signal` if that is aborted before.
 *
 * @example
 * const answer = await unlessAborted(signal, ask());
 */
export function unlessAborted<T>(signal: AbortSignal | null | undefined, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = onAbort(signal, reject);
    void work.then(resolve, reject).finally(stop);
  });
}
