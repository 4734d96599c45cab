// The names of the built-in servers, which entries of a configuration refer to.
import type { Config } from '@tidings/track';
import { Failure } from '../terminal/failure.ts';

export const builtInNames = ['vcon', 'schedules', 'obs'];

/** How a configuration without servers gets one. */
export const howToAddServers =
  'Built-in servers have to be named, too: "mcpServers": { "vcon": { "builtin": "vcon" } }.';

interface AssertBuiltInDeps {
  /** The file of the configuration, for messages. */
  file: string | undefined;
}

/** Throws if the configuration names an unknown built-in server: no retry would find it. */
export function assertBuiltIn({ servers }: Config, { file }: AssertBuiltInDeps): void {
  for (const entry of servers) {
    if (!('builtin' in entry) || builtInNames.includes(entry.builtin)) continue;
    const problem = `${entry.id}: there is no built-in server "${entry.builtin}". Built in: ${builtInNames.join(', ')}.`;
    throw new Failure(file === undefined ? problem : `${file}: ${problem}`);
  }
}
