// Completion in each shell, in a terminal: the tests press Tab and read the screen.
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Shell, shellScripts, shells } from '../../packages/hub/src/completion/shell-scripts.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NotesUpstream } from '../hub/notes-upstream.ts';
import { type RunningHub, runningHub } from '../hub/running-hub.ts';
import { type Need, describeWith } from '../support/run/needs.ts';
import { bin } from './tidings-process.ts';
import { TmuxTerminal, tmuxNeed } from './tmux-terminal.ts';

let notes: NotesUpstream;
let hub: RunningHub;
let home: string;

beforeAll(async () => {
  notes = await NotesUpstream.start('modern');
  notes.put('a', 'one');
  notes.put('b', 'two');
  notes.put('long', 'three');
  hub = await runningHub({ servers: [notes.entry('notes')] });
  await hub.isLive('notes');
  home = await mkdtemp(join(tmpdir(), 'tidings-completion-'));
  await mkdir(join(home, 'bin'));
  await symlink(bin, join(home, 'bin', 'tidings'));
  await writeFile(join(home, 'servers.json'), '{}');
  for (const [shell, script] of Object.entries(shellScripts)) await writeFile(join(home, `tidings.${shell}`), script);
});

afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  await notes[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});

/**
 * How to start a shell without the user's settings, and its first line: a prompt, and completion as in docs/cli.md.
 */
const shellsUnderTest: Readonly<Record<Shell, { command: string[]; setup: string }>> = {
  bash: { command: ['bash', '--norc', '-i'], setup: `PS1='ready> '; source tidings.bash` },
  zsh: {
    command: ['zsh', '--no-rcs', '-i'],
    setup: `PS1='ready> '; autoload -Uz compinit; compinit -u; source tidings.zsh`,
  },
  fish: {
    command: ['fish', '--no-config', '-i'],
    setup: `function fish_prompt; echo 'ready> '; end; source tidings.fish`,
  },
};

class CompletingShell {
  readonly #terminal: TmuxTerminal;

  constructor(shell: Shell) {
    const { command, setup } = shellsUnderTest[shell];
    const path = `${join(home, 'bin')}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
    const variables = [`HOME=${home}`, `PATH=${path}`, `TIDINGS_HUB=${hub.url}`, 'LANG=C.UTF-8'];
    this.#terminal = new TmuxTerminal({ columns: 110, command: ['env', '-C', home, ...variables, ...command] });
    this.#terminal.type(`${setup}; clear`, 'Enter');
  }

  /** Types a line, presses Tab, and returns the screen once it matches. */
  async complete(line: string, expected: RegExp, tabs = 1): Promise<string> {
    await this.#terminal.reads(/^ready>\s*$/);
    this.#terminal.type('-l', line);
    await this.#terminal.reads(/^ready> tidings/);
    this.#terminal.type(...Array<string>(tabs).fill('Tab'));
    const screen = await this.#terminal.reads(expected);
    // A shell that is still completing ends only that.
    await this.#terminal.readsAfter('C-c', /^ready>\s*$(?![^]*\S)/m);
    this.#terminal.type('C-l');
    return screen;
  }
}

/** The programs that the tests of one shell need. */
function needOf(shell: Shell): Need {
  const isThere = tmuxNeed.isThere && spawnSync(shell, ['--version']).status === 0;
  return { what: `${shell} and tmux`, isThere, install: tmuxNeed.install };
}

describe.each(shells)('%s', (shell) => {
  describeWith(needOf(shell), 'in a terminal', () => {
    // Bash lists only at the second Tab.
    const tabsToList = shell === 'bash' ? 2 : 1;

    test('completes commands, flags and their values, files, and URIs, also in quotes', async () => {
      const typed = new CompletingShell(shell);
      await typed.complete('tidings comp', /^ready> tidings completion\s*$/);
      await typed.complete('tidings up --allow-h', /^ready> tidings up --allow-host\s*$/);
      await typed.complete('tidings up --log-level=inf', /^ready> tidings up --log-level=info\s*$/);
      await typed.complete('tidings up --config serv', /^ready> tidings up --config servers\.json\s*$/);
      await typed.complete('tidings list -- bi', /^ready> tidings list -- bin\/\s*$/);
      await typed.complete('tidings read note://lo', /^ready> tidings read note:\/\/long\s*$/);
      await typed.complete(`tidings read 'note://lo`, /^ready> tidings read 'note:\/\/long'\s*$/);
      await typed.complete('tidings read "note://lo', /^ready> tidings read "note:\/\/long"\s*$/);
      await typed.complete('tidings read note://', /\/a\b[^]*\/b\b/, tabsToList);
      const hosts = await typed.complete('tidings init claude-', /claude-desktop/, tabsToList);
      expect(hosts).not.toContain('--');
    });
  });
});
