// The official conformance suite as a program: its place, its requirements and its results.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import type { Check } from './verdict.ts';
import { serviceNeed } from '../support/run/service-need.ts';

export const revisions = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof revisions)[number];

/** A run takes a few seconds, so one that reaches this limit hangs. */
export const suiteTimeoutMs = 60_000;
/** The scenarios of a client start together and wait for each other. */
export const clientTimeoutMs = 240_000;

interface Scenarios {
  scored: string[];
  unscored: string[];
}

export interface SuiteRun {
  /** By scenario. A scenario that could not run has no entry. */
  checks: Map<string, Check[]>;
  /** The suite's verdict on the scored scenarios: 0 if all pass. */
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

/** The scenarios of a revision for servers or for clients, from the suite's frozen list. */
export function scenariosOf(revision: Revision, leg: 'server' | 'client' = 'server'): Scenarios {
  if (!suiteNeed.isThere) return { scored: [], unscored: [] };
  const text = readFileSync(join(suite, 'requirements', `${revision}.yaml`), 'utf8');
  const listed = new RegExp(`^${leg}:\\n((?: {2}- .+\\n)+)`, 'm').exec(text)?.[1] ?? '';
  return {
    scored: captures(listed, / {2}- (.+)/g),
    unscored: captures(text, new RegExp(` {2}- scenario: (.+)\\n {4}leg: ${leg}`, 'g')),
  };
}

/**
 * Runs a client in all scenarios of a revision at the same time, including unscored ones. It gets the address of the
 * suite's server as its last argument.
 */
export async function runClient(
  revision: Revision,
  { command, env }: { command: string; env?: Record<string, string> },
): Promise<Map<string, Check[]>> {
  const results = await mkdtemp(join(tmpdir(), 'tidings-conformance-'));
  try {
    const client = ['client', '--command', command, '--timeout', String(clientTimeoutMs)];
    await run([...client, '--requirements', revision, '--output-dir', results], { env, timeout: clientTimeoutMs });
    return await readResults(results);
  } finally {
    await rm(results, { recursive: true });
  }
}

export async function runSuite(revision: Revision, url: string): Promise<SuiteRun> {
  const results = await mkdtemp(join(tmpdir(), 'tidings-conformance-'));
  try {
    const args = ['server', '--url', url, '--requirements', revision, '--output-dir', results];
    const { exitCode, output } = await run(args);
    return { checks: await readResults(results, 'server-'), exitCode, output };
  } finally {
    await rm(results, { recursive: true });
  }
}

function run(
  args: string[],
  { env = {}, timeout = suiteTimeoutMs }: { env?: Record<string, string> | undefined; timeout?: number } = {},
): Promise<{ exitCode: number; output: string }> {
  const node = join(modules, '.bin', 'node');
  return new Promise((resolve, reject) => {
    const options = { timeout, maxBuffer: 64 * 1024 * 1024, env: { ...process.env, ...env } };
    const child = execFile(node, [join(suite, 'dist', 'index.js'), ...args], options, (error, stdout, stderr) => {
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

/** One folder per scenario, named `SCENARIO-TIMESTAMP` after the prefix; scenario names may contain slashes. */
async function readResults(folder: string, prefix = ''): Promise<Map<string, Check[]>> {
  const checks = new Map<string, Check[]>();
  for (const name of await readdir(folder, { recursive: true })) {
    if (basename(name) !== 'checks.json') continue;
    const scenario = /^(.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z$/.exec(dirname(name))?.[1];
    if (!scenario?.startsWith(prefix)) throw new Error(`"${name}" is no result of the suite as this file knows it.`);
    checks.set(scenario.slice(prefix.length), await checksIn(join(folder, name)));
  }
  return checks;
}

async function checksIn(file: string): Promise<Check[]> {
  return checksSchema.parse(JSON.parse(await readFile(file, 'utf8')));
}

function captures(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, captured = '']) => captured);
}
