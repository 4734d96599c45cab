// How a command that runs for long is ended.

/** The same signal again finds no listener, and ends the process at once. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}

/** Whoever does not let go in time is not waited for. */
export function exitWithin(ms: number): void {
  const timer = setTimeout(() => {
    console.error('Ended without waiting any longer for a client that does not read.');
    process.exit();
  }, ms);
  timer.unref();
}
