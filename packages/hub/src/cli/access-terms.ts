// What a configuration says of who may see what, checked as a whole before any of it holds: a slip of the pen
// must neither lock somebody out in silence nor show more than was meant.
import type { Config } from '@tidings/track';
import { Failure } from './failure.ts';
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
    for (const [index, { env: variable, redact }] of config.tokens.entries()) {
      const place = `tokens[${index}]`;
      if (!env[variable]) {
        throw new Failure(`${place}: env: the environment has no ${variable}. Set it, or leave this token out.`);
      }
      await assertKnown(`${place}: redact`, redact, defined);
    }
    await assertKnown('TIDINGS_REDACT', env['TIDINGS_REDACT'] || undefined, defined);
    return defined;
  } catch (error) {
    throw error instanceof Failure && file !== undefined ? new Failure(`${file}: ${error.message}`) : error;
  }
}

async function assertKnown(place: string, name: string | undefined, defined: Redactions): Promise<void> {
  try {
    await knownRedaction(name, defined);
  } catch (error) {
    throw error instanceof Failure ? new Failure(`${place}: ${error.message}`) : error;
  }
}
