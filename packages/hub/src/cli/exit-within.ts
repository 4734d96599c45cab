// Whoever does not let go in time is not waited for.

export function exitWithin(ms: number, whom = 'a client that does not read'): void {
  const timer = setTimeout(() => {
    console.error(`Ended without waiting any longer for ${whom}.`);
    process.exit();
  }, ms);
  timer.unref();
}
