// The supported hosts: where each keeps its list of servers, and in which form.
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface HostEnvironment {
  env: NodeJS.ProcessEnv;
  platform: string;
}

export interface Host {
  name: string;
  title: string;
  /** The member of its file that holds the servers. */
  member: 'mcpServers' | 'servers';
  /** Whether its file may have comments and trailing commas. */
  hasComments: boolean;
  /** Whether an entry may be an address; otherwise it is a command. */
  takesAddress: boolean;
  /** Whether each entry has a `type` that says which of the two it is. */
  namesType: boolean;
  /** How its file refers to an environment variable, so that no secret is written there. */
  variable(this: void, name: string): string;
  /** Whether it asks for secrets that its file names under `inputs`, and keeps them itself. */
  asksForSecrets?: boolean;
  /** Whether `variable` works in the environment of a command, too. */
  passesVariables: boolean;
  file(this: void, where: HostEnvironment): string;
  /** What to do once the file is written. */
  next: string;
}

export const hosts: readonly Host[] = [
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    member: 'mcpServers',
    hasComments: false,
    takesAddress: false,
    namesType: false,
    passesVariables: false,
    variable: (name) => `\${${name}}`,
    file: (where) => join(configFolder(where), 'Claude', 'claude_desktop_config.json'),
    next: 'Quit Claude Desktop completely and start it again.',
  },
  {
    name: 'claude-code',
    title: 'Claude Code',
    member: 'mcpServers',
    hasComments: false,
    takesAddress: true,
    namesType: true,
    passesVariables: true,
    variable: (name) => `\${${name}}`,
    file: ({ env }) => join(env['CLAUDE_CONFIG_DIR'] || homedir(), '.claude.json'),
    next: 'Start a new session of Claude Code; /mcp shows what it found.',
  },
  {
    name: 'cursor',
    title: 'Cursor',
    member: 'mcpServers',
    hasComments: true,
    takesAddress: true,
    namesType: false,
    passesVariables: true,
    variable: (name) => `\${env:${name}}`,
    file: () => join(homedir(), '.cursor', 'mcp.json'),
    next: 'Restart Cursor and switch the server on among its MCP servers.',
  },
  {
    name: 'vscode',
    title: 'VS Code',
    member: 'servers',
    hasComments: true,
    takesAddress: true,
    namesType: true,
    passesVariables: true,
    asksForSecrets: true,
    variable: (name) => `\${env:${name}}`,
    file: (where) => join(configFolder(where), 'Code', 'User', 'mcp.json'),
    next: 'Run "MCP: List Servers" in VS Code and start it there.',
  },
];

/** The platform's folder for settings of applications. */
function configFolder({ env, platform }: HostEnvironment): string {
  if (platform === 'win32') return env['APPDATA'] || join(homedir(), 'AppData', 'Roaming');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  return env['XDG_CONFIG_HOME'] || join(homedir(), '.config');
}
