// Attacks mostly wait, so several run at once; not all of them, because each has its own processes.

/** Runs the work when a slot is free. */
export type InTurn = (work: () => Promise<void>) => Promise<void>;

/** Runs at most `most` pieces of work at once, in order. */
export function someAtOnce(most: number): InTurn {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
