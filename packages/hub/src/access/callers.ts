// Everyone whom the hub admits: the bearers of its tokens and of access tokens of its issuers.
import type { Config } from '@tidings/track';
import type { Principal } from './grant.ts';
import { issuerOfSubject } from './issuer/issuer-subject.ts';
import { Issuers, type IssuersOptions } from './issuer/issuers.ts';
import { Tokens, type TokensOptions } from './token/tokens.ts';

interface CallersOptions extends Omit<IssuersOptions, 'before'>, Omit<TokensOptions, 'before'> {
  config: IssuersOptions['config'] & TokensOptions['config'];
  /** The callers before an edit: a caller that is admitted on the same terms keeps its principal. */
  before?: Callers | undefined;
}

export class Callers {
  readonly tokens: Tokens;
  readonly issuers: Issuers;

  constructor({ before, ...options }: CallersOptions) {
    this.tokens = new Tokens({ ...options, before: before?.tokens });
    this.issuers = new Issuers({ ...options, before: before?.issuers });
  }

  /** Whether all callers are the operator. */
  get areOperators(): boolean {
    return this.issuers.isEmpty && this.tokens.areOperators;
  }

  /** Whether an admitted principal would be admitted again on the same terms. */
  admits(principal: Principal): boolean {
    return this.tokens.admits(principal) || this.issuers.admits(principal);
  }

  /** Whether this principal is still known, with any terms. */
  hasSubject(subject: string): boolean {
    return this.tokens.hasSubject(subject) || this.issuers.hasSubject(subject);
  }
}

/** The settings of one caller that are not about access; undefined if no entry of the configuration is about it. */
export function settingsOf({ tokens, oauth }: Pick<Config, 'tokens' | 'oauth'>, subject: string | undefined) {
  if (subject === undefined) return undefined;
  const issuer = issuerOfSubject(subject);
  return issuer === undefined
    ? tokens.find(({ env }) => env === subject)
    : oauth?.issuers.find((entry) => entry.issuer === issuer);
}
