// What a configuration says of who may see what, checked as a whole before any of it holds: a slip of the pen
// must neither lock somebody out in silence nor show more than was meant.
import type { Config } from '@tidings/track';
import { isUselessPattern } from '../access/allow-list.ts';
import { Failure } from '../terminal/failure.ts';
import { type Redactions, definedRedactions, knownRedaction } from './known-redaction.ts';

export interface Surroundings {
  /** Where the configuration is from. */
  file: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
}

/** The redactions it defines. */
export async function accessTerms(config: Config, { file, env }: Surroundings): Promise<Redactions> {
  try {
    const defined = await definedRedactions(config.redactions);
    for (const [index, { env: variable, redact, allow }] of config.tokens.entries()) {
      const place = `tokens[${index}]`;
      if (!env[variable]) {
        throw new Failure(`${place}: env: the environment has no ${variable}. Set it, or leave this token out.`);
      }
      assertUseful(`${place}: allow`, allow);
      await assertKnown(`${place}: redact`, redact, defined);
    }
    await assertKnown('TIDINGS_REDACT', env['TIDINGS_REDACT'] || undefined, defined);
    return defined;
  } catch (error) {
    throw error instanceof Failure && file !== undefined ? new Failure(`${file}: ${error.message}`) : error;
  }
}

function assertUseful(place: string, patterns: readonly string[] = []): void {
  for (const [index, pattern] of patterns.entries()) {
    if (!isUselessPattern(pattern)) continue;
    throw new Failure(
      `${place}.${index}: "${pattern}" would open nothing, because programs read it in different ways. Write it without dot segments, backslashes, spaces and capitals in scheme or host.`,
    );
  }
}

async function assertKnown(place: string, name: string | undefined, defined: Redactions): Promise<void> {
  try {
    await knownRedaction(name, defined);
  } catch (error) {
    throw error instanceof Failure ? new Failure(`${place}: ${error.message}`) : error;
  }
}
