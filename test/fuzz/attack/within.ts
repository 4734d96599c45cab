// Time limits: a response that takes longer is a finding.

export async function within<T>(ms: number, what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No ${what} within ${ms} ms.`)), ms);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Asks until the answer is right or the time is over; returns the last answer. */
export async function eventually<T>(ms: number, ask: () => Promise<T>, isWished: (answer: T) => boolean): Promise<T> {
  const deadline = performance.now() + ms;
  let answer = await ask();
  while (!isWished(answer) && performance.now() < deadline) answer = await ask();
  return answer;
}
