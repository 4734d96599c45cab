// Consent to a configuration. One that was not given with --config, but found in a folder or stored in the database,
// may start commands, send environment values, open the hub to others and change its limits or audit log only after the
// user has agreed to exactly that. A digest of the agreed powers is stored for each file or database.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf, replaceWhole } from '@tidings/live/internal';
import { foregroundClock } from '@tidings/live/time';
import { type Power, awaitedLock } from '@tidings/track/internal';
import { z } from 'zod';
import { printError } from '../terminal/print-line.ts';
import { askUser } from '../terminal/ask-user.ts';
import { Failure } from '../terminal/failure.ts';
import { shownPowers } from './shown-powers.ts';
import { userDataFolder } from './user-data-folder.ts';

const fileName = 'trusted-commands.json';
/** A process that holds the lock for longer is stuck. */
const patienceMs = 10_000;
const consents = z.record(z.string(), z.string());

interface Consent {
  /** The file, or the database without its password. */
  source: string;
  isStored: boolean;
  /** What needs consent. */
  powers: readonly Power[];
  /** `--trust`, or the file was named on the command line. */
  isGiven: boolean;
}

/** Throws unless the user has agreed. Resolves with whether the user was asked now. */
export async function assertTrusted(consent: Consent): Promise<boolean> {
  const { source, powers, isGiven } = consent;
  if (isGiven || isTrusted(source, powers)) return false;
  if (!process.stdin.isTTY || !process.stderr.isTTY) throw notTrusted(consent);
  printError(`${configurationSubject(consent)} would\n${shownPowers(powers)}`);
  const answer = await askUser('Agree to this, now and later? [y/N] ');
  if (!/^y(es)?$/i.test(answer.trim())) throw notTrusted(consent);
  await remember(source, powers);
  return true;
}

/** Without powers no consent is needed. */
export function isTrusted(source: string, powers: readonly Power[]): boolean {
  if (powers.length === 0) return true;
  const digest = digestOfPowers(powers);
  return storing.get(source) === digest || remembered()[source] === digest;
}

/** After an edit that adds nothing that needs consent, the earlier consent stays valid. */
export async function keepTrust(file: string, before: readonly Power[], after: readonly Power[]): Promise<void> {
  const known = new Set(before.map(({ text }) => text));
  if (isTrusted(file, before) && after.every(({ text }) => known.has(text))) await remember(file, after);
}

/** Consents that are being stored, by their sources. They count already: an edited file is followed meanwhile. */
const storing = new Map<string, string>();

async function remember(source: string, powers: readonly Power[]): Promise<void> {
  const digest = digestOfPowers(powers);
  storing.set(source, digest);
  try {
    await store(source, digest);
  } finally {
    if (storing.get(source) === digest) storing.delete(source);
  }
}

/** Other commands keep consents in the same file. */
async function store(source: string, digest: string): Promise<void> {
  const folder = userDataFolder();
  const lock = await awaitedLock(folder, 'trusted-commands', { clock: foregroundClock, patienceMs });
  if (lock === undefined) throw new Failure('Another command is changing what was agreed to: try again later.');
  try {
    const all = JSON.stringify({ ...remembered(), [source]: digest });
    await replaceWhole(join(folder, fileName), (draft) => draft.write(all));
  } finally {
    lock.release();
  }
}

/** A missing or unreadable file counts as no consent: the user is asked again. */
function remembered(): Record<string, string> {
  try {
    return consents.parse(JSON.parse(readFileSync(join(userDataFolder(), fileName), 'utf8')));
  } catch {
    return {};
  }
}

function digestOfPowers(powers: readonly Power[]): string {
  return digestOf(powers.map(({ text }) => text).join('\n'));
}

function configurationSubject({ source, isStored }: Consent): string {
  return isStored ? `The configuration that is stored in ${source}` : `${source} was found here and`;
}

function notTrusted(consent: Consent): Failure {
  const advice = consent.isStored
    ? 'Review it with "tidings config show", then add --trust, or name a file with --config'
    : 'Review it, then add --trust, or name it with --config';
  return new Failure(`${configurationSubject(consent)} would ${inShort(consent.powers)}. ${advice}.`);
}

const inShortBy: Readonly<Record<Power['kind'], string>> = {
  command: 'start commands',
  values: 'send values of your environment',
  access: 'let others use the hub',
  safeguards: 'change its limits or audit log',
};

/** "start commands and let others use the hub". */
export function inShort(powers: readonly Power[]): string {
  return [...new Set(powers.map(({ kind }) => inShortBy[kind]))].join(' and ');
}
