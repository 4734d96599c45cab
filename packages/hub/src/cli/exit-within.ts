// Whoever does not let go in time is not waited for.

export function exitWithin(ms: number): void {
  const timer = setTimeout(() => {
    console.error('Ended without waiting any longer for a client that does not read.');
    process.exit();
  }, ms);
  timer.unref();
}
