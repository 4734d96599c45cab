// The hosts with hooks: where each keeps them, and in which form. Hooks that would continue a turn (`Stop`) are left to
// the user: a busy server would cost further turns.
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { HookHost } from '../hook/hook-host.ts';
import type { HostEnvironment } from './host.ts';

/** How a hook reaches the hub: the host sends the request itself, or starts `tidings hook`. */
export type HookWay = 'http' | 'command';

export interface HookedHost {
  name: HookHost;
  title: string;
  /** The events at which the model can be told, and the one that begins a session. */
  events: Readonly<Record<string, HookWay>>;
  /** Whether the hooks of an event are in groups, each with a list of them. */
  hasGroups: boolean;
  /** Members of every command besides the command itself and its time limit. */
  command: Readonly<Record<string, unknown>>;
  /** The time limit of a command, in the host's unit. */
  timeout: number;
  /** Members that the file must have besides the hooks. */
  required: Readonly<Record<string, unknown>>;
  /** Whether its file may have comments and trailing commas. */
  hasComments: boolean;
  file(this: void, where: HostEnvironment): string;
  /** What to do once the file is written. */
  next: string;
}

/** Longer than the command takes at most. */
const timeoutSeconds = 5;

export const hookedHosts: readonly HookedHost[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    // It sends no request at the start of a session.
    events: { SessionStart: 'command', UserPromptSubmit: 'http', PostToolUse: 'http' },
    hasGroups: true,
    command: { type: 'command' },
    timeout: timeoutSeconds,
    required: {},
    hasComments: false,
    file: ({ env }) => join(env['CLAUDE_CONFIG_DIR'] || join(homedir(), '.claude'), 'settings.json'),
    next: 'Start a new session of Claude Code; /hooks shows them.',
  },
  {
    name: 'codex',
    title: 'Codex',
    events: { SessionStart: 'command', UserPromptSubmit: 'command', PostToolUse: 'command' },
    hasGroups: true,
    command: { type: 'command' },
    timeout: timeoutSeconds,
    required: {},
    hasComments: false,
    file: ({ env }) => join(env['CODEX_HOME'] || join(homedir(), '.codex'), 'hooks.json'),
    next: 'Start a new session of Codex and agree to the hooks: until then it does not run them.',
  },
  {
    name: 'vscode',
    title: 'VS Code',
    events: { SessionStart: 'command', PostToolUse: 'command' },
    hasGroups: false,
    command: { type: 'command' },
    timeout: timeoutSeconds,
    required: {},
    hasComments: true,
    file: () => join(homedir(), '.copilot', 'hooks', 'tidings.json'),
    next: 'Start a new chat in VS Code; its output channel for hooks shows them.',
  },
  {
    name: 'cursor',
    title: 'Cursor',
    events: { sessionStart: 'command', postToolUse: 'command' },
    hasGroups: false,
    command: {},
    timeout: timeoutSeconds,
    required: { version: 1 },
    hasComments: true,
    file: () => join(homedir(), '.cursor', 'hooks.json'),
    next: 'Restart Cursor; its settings show the hooks.',
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    events: { SessionStart: 'command', BeforeAgent: 'command', AfterTool: 'command' },
    hasGroups: true,
    command: { name: 'tidings', type: 'command' },
    // In milliseconds.
    timeout: timeoutSeconds * 1000,
    required: {},
    hasComments: true,
    file: () => join(homedir(), '.gemini', 'settings.json'),
    next: 'Start a new session of Gemini CLI; /hooks shows them.',
  },
];
