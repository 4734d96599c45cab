// A real terminal: tests press keys and read the screen.
import { execFileSync, spawnSync } from 'node:child_process';
import { eventually } from '@tidings/live/testing';
import { onTestFinished } from 'vitest';

export const tmuxNeed = {
  what: 'tmux',
  isThere: spawnSync('tmux', ['-V']).status === 0,
  install: 'bash scripts/install-test-tools.sh',
};

/** Runs a command, by default a shell. */
export class TmuxTerminal {
  readonly #socket = `tidings-${process.pid}-${performance.now()}`;

  constructor({ columns = 60, command = ['env', 'PS1=$ ', 'NO_COLOR=', 'sh'] } = {}) {
    this.#tmux('-f', '/dev/null', 'new-session', '-d', '-x', String(columns), '-y', '24', ...command);
    onTestFinished(() => void this.#tmux('kill-server'));
  }

  type(...keys: string[]): void {
    this.#tmux('send-keys', ...keys);
  }

  /** The screen with its colours, once it contains this. */
  async shows(what: RegExp | string): Promise<string> {
    return this.#screenWith(what, () => this.#tmux('capture-pane', '-p', '-e'));
  }

  /** The screen without its colours, once it matches. */
  async reads(what: RegExp): Promise<string> {
    return this.#screenWith(what, () => this.#tmux('capture-pane', '-p'));
  }

  /** Presses a key until the screen matches: a program that is busy may ignore the first one. */
  async readsAfter(key: string, what: RegExp): Promise<string> {
    const screen = () => {
      this.type(key);
      return this.#tmux('capture-pane', '-p');
    };
    return this.#screenWith(what, screen);
  }

  async #screenWith(what: RegExp | string, screen: () => string): Promise<string> {
    return eventually(`${what} on the screen: ${screen()}`, () => {
      const text = screen();
      return includes(text, what) && text;
    });
  }

  /** The title, which a program can set with an escape sequence. */
  title(): string {
    return this.#tmux('display-message', '-p', '#{pane_title}');
  }

  #tmux(...args: string[]): string {
    return execFileSync('tmux', ['-L', this.#socket, ...args], { encoding: 'utf8' });
  }
}

function includes(screen: string, what: RegExp | string): boolean {
  return typeof what === 'string' ? screen.includes(what) : what.test(screen);
}
