// Checks the version of Node, and the native extension for this platform.
import { existsSync } from 'node:fs';
import type { Finding } from './finding.ts';

export async function checkMachine(): Promise<Finding[]> {
  return [node(process.versions.node), await sqliteVec()];
}

export function node(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return { verdict: 'fine', subject: 'node', detail: version };
  return {
    verdict: 'wrong',
    subject: 'node',
    detail: `${version} is too old.`,
    advice: 'Install Node 20.19 or newer.',
  };
}

async function sqliteVec(): Promise<Finding> {
  const subject = 'sqlite-vec';
  // Imported here, so that doctor's help works without it.
  const { vectorExtensions } = await import('@tidings/vcon');
  const [path] = vectorExtensions({ warn: () => undefined, error: () => undefined });
  if (path !== undefined && existsSync(path)) {
    return { verdict: 'fine', subject, detail: 'search by meaning is possible' };
  }
  return {
    verdict: 'note',
    subject,
    detail: `has no build for ${process.platform}-${process.arch}, or was not installed: search by meaning is off.`,
    advice: 'Everything else works. Install again without --omit=optional, or use PostgreSQL with pgvector.',
  };
}
