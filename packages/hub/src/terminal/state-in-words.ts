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

export function stateInWords({ state, detail, failures, polled }: ServerStatus): string {
  // The server reports a problem, such as OBS not running. Polling is no problem.
  if (state === 'live' && detail !== '' && polled === 0) return 'needs attention';
  // The server has failed before, and is being retried.
  return state === 'connecting' && failures > 0 ? words.backoff : words[state];
}
