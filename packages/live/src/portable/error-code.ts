// The code of an error, by which programs tell errors apart.

/** The code of an error of the system, of Node or of a database, such as `ENOENT`; undefined if it has none. */
export function systemCode(error: unknown): string | undefined {
  return textCode(error);
}

/** The code of an error response: the stable one in its data, otherwise the protocol's number. */
export function responseCode({ code, data }: { code: number; data?: unknown }): string {
  return textCode(data) ?? String(code);
}

function textCode(value: unknown): string | undefined {
  const { code }: { code?: unknown } = Object(value);
  return typeof code === 'string' ? code : undefined;
}
