// The default data folder: one per user, so that a server started by a host and one started by hand share their state.
import { homedir } from 'node:os';
import { join } from 'node:path';

export function userDataFolder(env: NodeJS.ProcessEnv = process.env, platform: string = process.platform): string {
  const home = homedir();
  if (platform === 'win32') return join(env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'tidings');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'tidings');
  return join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'tidings');
}
