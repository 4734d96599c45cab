// Finds the configuration file: named by the user, in the working folder, or in the user's configuration folder.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Where to search for a configuration. */
export interface ConfigLocation {
  /** The `--config` of the command line. */
  named?: string | undefined;
  workingFolder: string;
  home: string;
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
}

/** The file that was found. */
export interface FoundConfig {
  file: string;
  /** A file that the user named may start commands; one that was only found needs confirmation. */
  wasNamed: boolean;
}

/**
 * The configuration file: the named one, else `config/mcp-servers.json` of the working folder, else that of the user.
 *
 * @example
 * const found = findConfig({ workingFolder: '.', home: homedir(), platform: process.platform, env: process.env });
 */
export function findConfig(location: ConfigLocation): FoundConfig | undefined {
  const { named, workingFolder } = location;
  if (named !== undefined) return { file: resolve(workingFolder, named), wasNamed: true };
  const places = [join(workingFolder, 'config', 'mcp-servers.json'), join(userFolder(location), 'mcp-servers.json')];
  const file = places.find((place) => existsSync(place));
  return file === undefined ? undefined : { file, wasNamed: false };
}

function userFolder({ home, platform, env }: ConfigLocation): string {
  if (platform === 'win32') return join(env['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'tidings');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'tidings');
  return join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'tidings');
}
