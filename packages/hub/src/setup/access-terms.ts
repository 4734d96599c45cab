// Checks the tokens, issuers and redactions of a configuration before it is applied: a mistake must neither lock a caller out
// silently nor show more than intended.
import type { Config } from '@tidings/track';
import { isUselessPattern } from '../access/pattern/allow-list.ts';
import { sharedPrincipal } from '../access/token/distinct-principals.ts';
import { Failure } from '../terminal/failure.ts';
import { type Redactions, definedRedactions, knownRedaction } from './known-redaction.ts';

interface AccessTermsDeps {
  /** The file of the configuration, for messages. */
  file: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
}

/** Resolves with the redactions that the configuration defines. */
export async function accessTerms(config: Config, { file, env }: AccessTermsDeps): Promise<Redactions> {
  try {
    const defined = await definedRedactions(config.redactions);
    for (const [index, { env: variable, redact, allow }] of config.tokens.entries()) {
      const label = `tokens[${index}]`;
      if (!env[variable]) {
        throw new Failure(`${label}: env: the environment has no ${variable}. Set it, or remove this token.`);
      }
      assertUseful(`${label}: allow`, allow);
      await assertKnown(`${label}: redact`, redact, defined);
    }
    for (const [index, { issuer, grants = [] }] of (config.oauth?.issuers ?? []).entries()) {
      for (const [at, { redact, allow }] of grants.entries()) {
        const label = `oauth.issuers[${index}] ("${issuer}"): grants.${at}`;
        assertUseful(`${label}.allow`, allow);
        await assertKnown(`${label}.redact`, redact, defined);
      }
    }
    const shared = sharedPrincipal({ whole: env['TIDINGS_TOKEN'], tokens: config.tokens, env });
    if (shared) throw new Failure(`tokens[${shared.index}]: env: ${shared.problem}`);
    await assertKnown('TIDINGS_REDACT', env['TIDINGS_REDACT'] || undefined, defined);
    return defined;
  } catch (error) {
    throw error instanceof Failure && file !== undefined ? new Failure(`${file}: ${error.message}`) : error;
  }
}

function assertUseful(label: string, patterns: readonly string[] = []): void {
  for (const [index, pattern] of patterns.entries()) {
    if (!isUselessPattern(pattern)) continue;
    throw new Failure(
      `${label}.${index}: "${pattern}" would match nothing, because programs interpret it differently. Write it without dot segments, backslashes, spaces and capitals in scheme or host.`,
    );
  }
}

async function assertKnown(label: string, name: string | undefined, defined: Redactions): Promise<void> {
  try {
    await knownRedaction(name, defined);
  } catch (error) {
    throw error instanceof Failure ? new Failure(`${label}: ${error.message}`) : error;
  }
}
