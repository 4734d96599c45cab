// SIGINT and SIGTERM as an AbortSignal, for long work that stops at a suitable point. SIGHUP is left alone, so that
// `nohup tidings up` keeps running.

/** The second signal of a kind ends the process at once, by Node's default. */
export function stopOnSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  return controller.signal;
}
