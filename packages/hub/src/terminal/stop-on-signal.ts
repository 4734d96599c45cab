// Ctrl-C ends long work at the next good moment.

/** The same signal again finds no listener, and ends the process at once. */
export function stopOnSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  return controller.signal;
}
