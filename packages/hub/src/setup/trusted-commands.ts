// A configuration file that was found, rather than given with --config, may start commands, send values of the environment
// and open the hub to others only after the user has agreed to exactly that. What was agreed to is kept as a digest for
// each file.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Power } from '@tidings/track/internal';
import { printError } from '../terminal/print-line.ts';
import { askUser } from '../terminal/ask-user.ts';
import { Failure } from '../terminal/failure.ts';
import { userDataFolder } from './user-data-folder.ts';

const fileName = 'trusted-commands.json';

export interface Consent {
  file: string;
  /** What needs consent. */
  powers: readonly Power[];
  /** `--trust`, or the file was named on the command line. */
  isGiven: boolean;
}

/** Throws unless the user has agreed. Says whether the user was asked now. */
export async function assertTrusted({ file, powers, isGiven }: Consent): Promise<boolean> {
  if (isGiven || isTrusted(file, powers)) return false;
  if (!process.stdin.isTTY || !process.stderr.isTTY) throw notTrusted(file, powers);
  printError(`${file} was found here and would\n${powers.map(({ words }) => `  ${words}`).join('\n')}`);
  const answer = await askUser('Agree to this, now and later? [y/N] ');
  if (!/^y(es)?$/i.test(answer.trim())) throw notTrusted(file, powers);
  remember(file, powers);
  return true;
}

/** What does nothing of this needs no consent. */
export function isTrusted(file: string, powers: readonly Power[]): boolean {
  return powers.length === 0 || remembered()[file] === digestOf(powers);
}

/** After an edit that adds nothing that needs consent: what was agreed to before is agreed to still. */
export function keepTrust(file: string, before: readonly Power[], after: readonly Power[]): void {
  const known = new Set(before.map(({ text }) => text));
  if (isTrusted(file, before) && after.every(({ text }) => known.has(text))) remember(file, after);
}

function remember(file: string, powers: readonly Power[]): void {
  mkdirSync(userDataFolder(), { recursive: true });
  const all = { ...remembered(), [file]: digestOf(powers) };
  writeFileSync(join(userDataFolder(), fileName), JSON.stringify(all), { mode: 0o600 });
}

function remembered(): Record<string, string> {
  try {
    return JSON.parse(readFileSync(join(userDataFolder(), fileName), 'utf8'));
  } catch {
    return {};
  }
}

function digestOf(powers: readonly Power[]): string {
  return createHash('sha256')
    .update(powers.map(({ text }) => text).join('\n'))
    .digest('base64url');
}

function notTrusted(file: string, powers: readonly Power[]): Failure {
  return new Failure(
    `${file} was found here and would ${inShort(powers)}. Review it, then add --trust, or name it with --config.`,
  );
}

const inShortBy: Readonly<Record<Power['kind'], string>> = {
  command: 'start commands',
  values: 'send values of your environment',
  access: 'let others use the hub',
};

/** "start commands and let others use the hub". */
export function inShort(powers: readonly Power[]): string {
  return [...new Set(powers.map(({ kind }) => inShortBy[kind]))].join(' and ');
}
