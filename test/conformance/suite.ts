// The official conformance suite as a program: where it is, what it requires, what it found.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Check } from './verdict.ts';
import { serviceNeed } from '../support/service-need.ts';

export const revisions = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof revisions)[number];

/** A run takes a few seconds; one that takes so long hangs. */
export const suiteTimeoutMs = 60_000;

export interface SuiteRun {
  /** By scenario. One that could not be run at all has no entry. */
  checks: Map<string, Check[]>;
  /** The suite's own verdict on what it scores: 0 if all of it passes. */
  exitCode: number;
  output: string;
}

// The folder scripts/install-test-tools.sh installs into.
const version = '0.2.0-alpha.12';
const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
const tools = process.env['TIDINGS_TOOLS'] ?? join(cache, 'tidings', 'tools');
const modules = join(tools, `conformance-${version}`, 'node_modules');
const suite = join(modules, '@modelcontextprotocol', 'conformance');

export const suiteNeed = serviceNeed({
  what: 'the MCP conformance suite',
  isThere: existsSync(modules),
  install: 'bash scripts/install-test-tools.sh',
});

/** The server scenarios of a revision, as its frozen list in the suite has them. */
export function scenariosOf(revision: Revision): { scored: string[]; unscored: string[] } {
  if (!suiteNeed.isThere) return { scored: [], unscored: [] };
  const text = readFileSync(join(suite, 'requirements', `${revision}.yaml`), 'utf8');
  const server = /^server:\n((?: {2}- .+\n)+)/m.exec(text)?.[1] ?? '';
  return {
    scored: captures(server, / {2}- (.+)/g),
    unscored: captures(text, / {2}- scenario: (.+)\n {4}leg: server/g),
  };
}

/** The scored client scenarios of a revision. */
export function clientScenariosOf(revision: Revision): string[] {
  if (!suiteNeed.isThere) return [];
  const text = readFileSync(join(suite, 'requirements', `${revision}.yaml`), 'utf8');
  return captures(/^client:\n((?: {2}- .+\n)+)/m.exec(text)?.[1] ?? '', / {2}- (.+)/g);
}

/** Runs a client, which gets the address of the suite's server as its last argument. Undefined: it could not be run. */
export async function runClientScenario(
  revision: Revision,
  scenario: string,
  command: string,
  options: { env?: Record<string, string>; isExtension?: boolean } = {},
): Promise<Check[] | undefined> {
  const results = await mkdtemp(join(tmpdir(), 'tidings-conformance-'));
  try {
    const named = ['--spec-version', revision, '--scenario', scenario, '--output-dir', results];
    // An extension is on no revision's list.
    const args = ['client', '--command', command, ...named, ...(options.isExtension ? ['--force'] : [])];
    await run(join(modules, '.bin', 'node'), [join(suite, 'dist', 'index.js'), ...args], options.env);
    const file = (await readdir(results, { recursive: true })).find((name) => name.endsWith('checks.json'));
    return file === undefined ? undefined : await checksIn(join(results, dirname(file)));
  } finally {
    await rm(results, { recursive: true });
  }
}

export async function runSuite(revision: Revision, url: string): Promise<SuiteRun> {
  const results = await mkdtemp(join(tmpdir(), 'tidings-conformance-'));
  try {
    const args = ['server', '--url', url, '--requirements', revision, '--output-dir', results];
    const { exitCode, output } = await run(join(modules, '.bin', 'node'), [join(suite, 'dist', 'index.js'), ...args]);
    return { checks: await readResults(results), exitCode, output };
  } finally {
    await rm(results, { recursive: true });
  }
}

function run(
  file: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<{ exitCode: number; output: string }> {
  return new Promise((resolve, reject) => {
    const options = { timeout: suiteTimeoutMs, maxBuffer: 64 * 1024 * 1024, env: { ...process.env, ...env } };
    const child = execFile(file, args, options, (error, stdout, stderr) => {
      if (child.exitCode === null) reject(error ?? new Error('The suite ended without an exit code.'));
      else resolve({ exitCode: child.exitCode, output: stdout + stderr });
    });
  });
}

const checksSchema = z.array(
  z.object({
    id: z.string(),
    description: z.string(),
    status: z.enum(['SUCCESS', 'FAILURE', 'WARNING', 'SKIPPED', 'INFO']),
    errorMessage: z.string().optional(),
  }),
);

/** One folder per scenario, named `server-SCENARIO-TIMESTAMP`. */
async function readResults(folder: string): Promise<Map<string, Check[]>> {
  const checks = new Map<string, Check[]>();
  for (const name of await readdir(folder)) {
    const scenario = /^server-(.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z$/.exec(name)?.[1];
    if (scenario === undefined) throw new Error(`"${name}" is no result folder of the suite as this file knows it.`);
    checks.set(scenario, await checksIn(join(folder, name)));
  }
  return checks;
}

async function checksIn(folder: string): Promise<Check[]> {
  return checksSchema.parse(JSON.parse(await readFile(join(folder, 'checks.json'), 'utf8')));
}

function captures(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, captured = '']) => captured);
}
