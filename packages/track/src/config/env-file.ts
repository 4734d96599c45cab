// `envFile` of VS Code and Cursor: a file with variables for the server, which its `env` overrides.
import { isObject } from '@tidings/live/portable';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { Filled } from './fill-in.ts';

/** Moves the variables of the file into `env`, and removes `envFile`. */
export function withEnvFile({ value, filledIn, missing }: Filled, workspace: string): Filled {
  if (!isObject(value) || !('envFile' in value)) return { value, filledIn, missing };
  const { envFile, ...entry } = value;
  const env = entry['env'] ?? {};
  try {
    const read = parseEnv(readFileSync(resolve(workspace, String(envFile)), 'utf8'));
    const secrets = Object.values(read).flatMap((each) => each || []);
    return {
      value: { ...entry, env: { ...read, ...Object(env) } },
      filledIn: new Set([...filledIn, ...secrets]),
      missing,
    };
  } catch {
    const words = `envFile: ${String(envFile)} cannot be read. Make it readable, or write its variables under "env".`;
    return { value: entry, filledIn, missing: new Set([...missing, words]) };
  }
}
