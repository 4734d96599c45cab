// Which resources a credential opens: all, or those that match one of its patterns.
import type { Caller, Credential } from '@tidings/live';
import { type UriPattern, uriPattern } from '@tidings/track';

export class Scope {
  readonly #patterns: readonly UriPattern[] | undefined;

  /** Without patterns: everything. With none of them: nothing. */
  constructor(patterns: readonly string[] | undefined) {
    this.#patterns = patterns?.map(uriPattern);
  }

  get isWhole(): boolean {
    return this.#patterns === undefined;
  }

  opens(uri: string): boolean {
    return this.#patterns?.some((pattern) => pattern.test(uri)) ?? true;
  }
}

const whole = new Scope(undefined);

/** Who a caller is to the hub. */
export interface Principal extends Credential {
  readonly scope: Scope;
  /** The name of the redaction that holds for this caller. */
  readonly redact?: string | undefined;
}

export function scopeOf({ auth }: Pick<Caller, 'auth'>): Scope {
  const scope = auth?.['scope'];
  if (scope === undefined) return whole;
  // What is there but is no scope opens nothing.
  return scope instanceof Scope ? scope : new Scope([]);
}

export function redactionOf({ auth }: Pick<Caller, 'auth'>): string | undefined {
  const redact = auth?.['redact'];
  return typeof redact === 'string' ? redact : undefined;
}
