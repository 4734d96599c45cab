// Where the kit reports what no client is told. A pino logger fits as it is.

export interface Log {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** One line per report on stderr: stdout belongs to JSON-RPC. */
export const stderrLog: Log = {
  warn: (fields, message) => writeLine('warn', fields, message),
  error: (fields, message) => writeLine('error', fields, message),
};

function writeLine(level: string, fields: object, message: string): void {
  const details = Object.entries(fields).map(([name, value]) => ` ${name}=${describe(value)}`);
  process.stderr.write(`${level}: ${message}${details.join('')}\n`);
}

function describe(value: unknown): string {
  if (value instanceof Error) return value.stack ?? value.message;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
