// A configuration file that was found, rather than given with --config, may start commands only after the user has
// agreed to exactly those. What was agreed to is kept as a digest of the commands for each file.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, commandsOf } from '@tidings/track';
import { printError } from '../terminal/print-line.ts';
import { askUser } from '../terminal/ask-user.ts';
import { Failure } from '../terminal/failure.ts';
import { userDataFolder } from './user-data-folder.ts';

const fileName = 'trusted-commands.json';

export interface Consent {
  file: string;
  config: Config;
  /** `--trust`, or the file was named on the command line. */
  isGiven: boolean;
}

/** Throws unless the user has agreed. Says whether the user was asked now. */
export async function assertTrusted({ file, config, isGiven }: Consent): Promise<boolean> {
  const commands = commandsOf(config);
  if (commands === '' || isGiven || isTrusted(file, commands)) return false;
  if (!process.stdin.isTTY || !process.stderr.isTTY) throw notTrusted(file);
  const started = config.servers.flatMap((entry) =>
    'command' in entry ? [`  ${entry.id}: ${[entry.command, ...entry.args].join(' ')}`] : [],
  );
  printError(`${file} would start these commands:\n${started.join('\n')}`);
  const answer = await askUser('Start them, now and later? [y/N] ');
  if (!/^y(es)?$/i.test(answer.trim())) throw notTrusted(file);
  remember(file, commands);
  return true;
}

export function isTrusted(file: string, commands: string): boolean {
  return remembered()[file] === digestOf(commands);
}

function remember(file: string, commands: string): void {
  mkdirSync(userDataFolder(), { recursive: true });
  const all = { ...remembered(), [file]: digestOf(commands) };
  writeFileSync(join(userDataFolder(), fileName), JSON.stringify(all), { mode: 0o600 });
}

function remembered(): Record<string, string> {
  try {
    return JSON.parse(readFileSync(join(userDataFolder(), fileName), 'utf8'));
  } catch {
    return {};
  }
}

function digestOf(commands: string): string {
  return createHash('sha256').update(commands).digest('base64url');
}

function notTrusted(file: string): Failure {
  return new Failure(
    `${file} was found here and would start commands. Review it, then add --trust, or name it with --config.`,
  );
}
