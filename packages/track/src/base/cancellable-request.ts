// A request that was sent: its answer, and a function that cancels it. An AbortSignal for each would cost more time and
// memory than a plain request itself.

export interface CancellableRequest<T> {
  readonly answer: Promise<T>;
  /** Stops waiting: a pending answer rejects with the reason. */
  cancel(this: void, reason?: unknown): void;
}

/** A request that an AbortSignal cancels. */
export function cancellable<T>(send: (signal: AbortSignal) => Promise<T>): CancellableRequest<T> {
  const own = new AbortController();
  return { answer: send(own.signal), cancel: (reason) => own.abort(reason) };
}

/** Sends the second request only if the first resolves with undefined. */
export function sendInTurn<T>(
  first: CancellableRequest<T | undefined>,
  second: () => CancellableRequest<T>,
): CancellableRequest<T> {
  let current: CancellableRequest<unknown> = first;
  const answer = first.answer.then((found) => {
    if (found !== undefined) return found;
    const next = second();
    current = next;
    return next.answer;
  });
  return { answer, cancel: (reason) => current.cancel(reason) };
}
