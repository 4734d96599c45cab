// Checks that every principal has its own name and secret. Quotas, tasks, sessions and the audit log identify callers
// by name, so two tokens with one name would share all of these.
import type { TokenEntry } from '@tidings/track';
import { issuerOfSubject } from '../issuer/issuer-subject.ts';

/** The names of principals that have no entry in the configuration. */
export const wholeSubject = 'token';
export const anonymousSubject = 'everybody';
export const nodeSubject = 'another node';

const taken: ReadonlySet<string> = new Set([wholeSubject, anonymousSubject, nodeSubject]);

interface GivenTokens {
  /** The unlimited token. */
  whole: string | undefined;
  tokens: readonly TokenEntry[];
  env: Readonly<Record<string, string | undefined>>;
}

/** Describes the first entry that is not distinct from those before it. */
export function sharedPrincipal({ whole, tokens, env }: GivenTokens): { index: number; problem: string } | undefined {
  const names = new Set<string>();
  const ownerOf = new Map<string, string>(whole ? [[whole, 'TIDINGS_TOKEN']] : []);
  for (const [index, { env: name }] of tokens.entries()) {
    if (taken.has(name) || issuerOfSubject(name) !== undefined)
      return { index, problem: `"${name}" means other callers here: choose another variable.` };
    if (names.has(name)) return { index, problem: `two tokens have the variable ${name}: give each its own.` };
    names.add(name);
    const value = env[name];
    if (!value) continue;
    const other = ownerOf.get(value);
    if (other !== undefined)
      return { index, problem: `${name} and ${other} have the same value: give each token its own.` };
    ownerOf.set(value, name);
  }
  return undefined;
}
