// A request that was sent: its answer, and how to give it up. Not a signal for each, which would take more time and
// memory than a plain request itself.

export interface Sent<T> {
  readonly answer: Promise<T>;
  /** Does not wait any longer: an answer that has not come rejects with the reason. */
  giveUp(this: void, reason?: unknown): void;
}

/** A request that is given up by a signal. */
export function sentUntil<T>(send: (signal: AbortSignal) => Promise<T>): Sent<T> {
  const own = new AbortController();
  return { answer: send(own.signal), giveUp: (reason) => own.abort(reason) };
}

/** The second request is sent only if the first has no answer to give. */
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
