// A request that was sent: its answer, and a function to give it up. An AbortSignal for each would cost more time and
// memory than a plain request itself.

export interface Sent<T> {
  readonly answer: Promise<T>;
  /** Stops waiting: a pending answer rejects with the reason. */
  giveUp(this: void, reason?: unknown): void;
}

/** A request that an AbortSignal cancels. */
export function sentUntil<T>(send: (signal: AbortSignal) => Promise<T>): Sent<T> {
  const own = new AbortController();
  return { answer: send(own.signal), giveUp: (reason) => own.abort(reason) };
}

/** Sends the second request only if the first resolves with undefined. */
export function sentInTurn<T>(first: Sent<T | undefined>, second: () => Sent<T>): Sent<T> {
  let current: Sent<unknown> = first;
  const answer = first.answer.then((found) => {
    if (found !== undefined) return found;
    const next = second();
    current = next;
    return next.answer;
  });
  return { answer, giveUp: (reason) => current.giveUp(reason) };
}
