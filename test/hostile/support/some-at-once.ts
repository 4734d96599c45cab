// Most of an attack is waiting, so several run at once; not all, since each has processes of its own.

/** Runs the work when it is its turn. */
export type InTurn = (work: () => Promise<void>) => Promise<void>;

/** Runs at most so many pieces of work at once, in the order in which they came. */
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
