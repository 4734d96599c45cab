// Many requests to one server.

const atOnce = 16;

/** Many at once, but not all: a server may have thousands. */
export async function inTurns<T>(items: readonly T[], task: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await task(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
}
