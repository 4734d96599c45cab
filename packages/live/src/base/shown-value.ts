// A value as text, for logs and messages. Works in every runtime, unlike Node's `inspect`.

/** Never throws. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (value instanceof Error) return shownError(value);
  if (typeof value === 'function') return `[function ${value.name}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  try {
    return JSON.stringify(value, replacerOf(new Set()));
  } catch {
    return Object.prototype.toString.call(value);
  }
}

/** The stack, other fields of the error, and its cause. */
function shownError(error: Error, depth = 0): string {
  const stack = typeof error.stack === 'string' ? error.stack : `${error.name}: ${error.message}`;
  const fields = Object.entries(error).map(([name, value]) => ` ${name}=${shownField(value)}`);
  const isDeep = depth > 5;
  const cause = error.cause instanceof Error && !isDeep ? `\n  [cause]: ${shownError(error.cause, depth + 1)}` : '';
  return `${stack}${fields.join('')}${cause}`;
}

function shownField(value: unknown): string {
  return value instanceof Error ? `${value.name}: ${value.message}` : shownValue(value);
}

/** Values that JSON cannot represent. */
function replacerOf(seen: Set<unknown>): (key: string, value: unknown) => unknown {
  return (_key, value) => {
    if (value instanceof Error) return shownError(value);
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value === 'function' || typeof value === 'symbol') return shownValue(value);
    if (typeof value !== 'object' || value === null) return value;
    if (seen.has(value)) return '[seen before]';
    seen.add(value);
    return value;
  };
}
