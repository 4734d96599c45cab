// The state of a server in a word or two.
import type { ServerStatus } from '@tidings/client/contract';

const words: Readonly<Record<ServerStatus['state'], string>> = {
  live: 'live',
  connecting: 'connecting',
  backoff: 'away',
  needs_login: 'needs a login',
  unsupported: 'no resources',
  disabled: 'disabled',
  stopped: 'stopped',
};

const conditions: Readonly<Record<NonNullable<ServerStatus['condition']>, string>> = {
  waiting: 'waiting',
  troubled: 'needs attention',
};

export function stateInWords({ state, condition, failures }: ServerStatus): string {
  if (condition !== undefined) return conditions[condition];
  // The server has failed before, and is being retried.
  return state === 'connecting' && failures > 0 ? words.backoff : words[state];
}
