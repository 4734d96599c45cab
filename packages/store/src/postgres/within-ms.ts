// An answer that is waited for only so long.
import type { Clock, Timer } from '@tidings/live';

/** Fails as the client does when it gives up a query: the connection cannot be used again. */
export async function withinMs<T>(ms: number, answer: Promise<T>, clock: Clock): Promise<T> {
  let timer: Timer | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = clock.after(ms, () => reject(new Error('Query read timeout')));
  });
  try {
    return await Promise.race([answer, silence]);
  } finally {
    timer?.cancel();
  }
}
