// Node, and what is compiled for this platform.
import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { z } from 'zod';
import type { Finding } from './finding.ts';

const vectors = z.object({ getLoadablePath: z.function() });

export async function checkMachine(): Promise<Finding[]> {
  return [node(process.versions.node), sqliteVec()];
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

function sqliteVec(): Finding {
  const subject = 'sqlite-vec';
  try {
    // It belongs to the server of conversations, so it is looked for from there.
    const require = createRequire(import.meta.resolve('@tidings/vcon'));
    const path = z.string().parse(vectors.parse(require('sqlite-vec')).getLoadablePath());
    if (existsSync(path)) return { verdict: 'fine', subject, detail: 'search by meaning is possible' };
  } catch {
    // Said below: whatever it is, it is not there.
  }
  return {
    verdict: 'note',
    subject,
    detail: `has no build for ${process.platform}-${process.arch}, or was not installed: search by meaning is off.`,
    advice: 'Everything else works. Install again without --omit=optional, or use PostgreSQL with pgvector.',
  };
}
