// The limits of each principal, for all routes together. The configuration sets them for all (`limits`) and for a token
// (`limits` of its entry).
import { type Caller, type Clock, type HeldKind, type SubjectLimits, SubjectQuotas } from '@tidings/live';
import type { Config } from '@tidings/track';
import { settingsOf } from './callers.ts';
import { issuerOfSubject } from './issuer/issuer-subject.ts';
import { nodePrincipal } from './node-principal.ts';
import type { Tokens } from './token/tokens.ts';

/** `unreadBytes`: bytes of responses that were written and that the client has not read. */
type HubKind = HeldKind | 'agentSessions' | 'unreadBytes';
const megabyte = 1024 * 1024;
/** A caller with unread bytes must have room for a response of this size, or gets none. */
const largestAnswer = 16 * megabyte;

export class HubQuotas extends SubjectQuotas<HubKind> {
  override request(caller: Pick<Caller, 'auth'>, count?: number): () => void {
    const isReading = this.used(caller.auth?.subject ?? '', 'unreadBytes') === 0;
    if (!isReading) this.hold(caller, 'unreadBytes', largestAnswer).release();
    return super.request(caller, count);
  }
}

interface HubQuotasDeps {
  clock: Clock;
  config: () => Pick<Config, 'limits' | 'tokens' | 'oauth'>;
  tokens: () => Tokens;
}

const totals = {
  sessions: 10_000,
  streams: 10_000,
  watchedUris: 200_000,
  watchedCharacters: 32_000_000,
  agentSessions: 200,
  requestsInFlight: 20_000,
  unreadBytes: 256 * megabyte,
};

/** The default limits of a token. A session takes up to a tenth of a megabyte, a stream much less. */
const usual: SubjectLimits<HubKind> = {
  sessions: 500,
  streams: 5000,
  watchedUris: 50_000,
  watchedCharacters: 8_000_000,
  agentSessions: 100,
  requestsInFlight: 500,
  unreadBytes: 128 * megabyte,
  requestsPerSecond: 1000,
};

/** The default limits of an owner of access tokens. An issuer may have any number of owners, so nothing is reserved for each. */
const ofBearer: SubjectLimits<HubKind> = {
  sessions: 50,
  streams: 500,
  watchedUris: 10_000,
  watchedCharacters: 2_000_000,
  agentSessions: 10,
  requestsInFlight: 100,
  unreadBytes: 48 * megabyte,
  requestsPerSecond: 200,
};

/** The limits without tokens: all clients are one principal, so there are no others to protect. */
const ofEverybody: SubjectLimits<HubKind> = { ...totals, requestsPerSecond: Number.POSITIVE_INFINITY };

export function hubQuotas({ clock, config, tokens }: HubQuotasDeps): HubQuotas {
  const baseOf = (subject: string) => {
    if (tokens().anonymous?.subject === subject) return ofEverybody;
    return issuerOfSubject(subject) === undefined ? usual : ofBearer;
  };
  return new HubQuotas({
    clock,
    totals,
    limitsOf: (subject) => {
      // Another node has already counted the use of its clients.
      if (subject === nodePrincipal.subject) return ofEverybody;
      const own = settingsOf(config(), subject)?.limits;
      const { limits: all } = config();
      const base = baseOf(subject);
      const limit = (name: keyof typeof base) => own?.[name] ?? all?.[name] ?? base[name];
      return {
        sessions: limit('sessions'),
        streams: limit('streams'),
        watchedUris: limit('watchedUris'),
        watchedCharacters: limit('watchedCharacters'),
        agentSessions: limit('agentSessions'),
        requestsInFlight: limit('requestsInFlight'),
        unreadBytes: limit('unreadBytes'),
        requestsPerSecond: limit('requestsPerSecond'),
      };
    },
    subjects: () => tokens().subjects,
  });
}
