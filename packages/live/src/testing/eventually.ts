// Waiting for a condition instead of for an amount of time.

/** Slow machines may need more; tests that expect to wait in vain want less. */
function defaultPatienceMs(): number {
  return Number(process.env['TIDINGS_TEST_PATIENCE_MS'] ?? 10_000);
}

/** Resolves with the first value that is neither `undefined` nor `false`; rejects when patience ends. */
export async function eventually<T>(
  what: string,
  check: () => T | undefined | false | Promise<T | undefined | false>,
  patienceMs = defaultPatienceMs(),
): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const value = await check();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > deadline) throw new Error(`Not within ${patienceMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
