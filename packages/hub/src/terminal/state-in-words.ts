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

/** One that is live and lacks something (OBS that is not running, for example) says so in its detail. */
export function stateInWords({ state, detail }: ServerStatus): string {
  return state === 'live' && detail !== '' ? 'needs attention' : words[state];
}
