// The state of the connection and, after a reconnection, the number of missed events.
import type { JSX } from 'preact';
import { type HubState, type Reconnection } from '../state/hub-state.ts';
import { useObserved } from '../state/observable.ts';
import { useNow } from './element/use-now.ts';

const shownMs = 12_000;

export function ConnectionNote({ hub }: { hub: HubState }): JSX.Element {
  useObserved(hub);
  const now = useNow();
  const { connection, reconnection } = hub;
  const isRecent = reconnection !== undefined && now - reconnection.at < shownMs;
  const [tone, text] =
    connection === 'open'
      ? (['good', isRecent ? wordsFor(reconnection) : 'Live'] as const)
      : connection === 'refused'
        ? (['bad', 'This hub asks for a token: log in again.'] as const)
        : connection === 'connecting' && !hub.wasOpen
          ? (['wait', 'Connecting…'] as const)
          : (['wait', 'Reconnecting… nothing is lost meanwhile'] as const);
  return (
    <p class={`connection ${tone}`} role="status">
      <span class="dot" aria-hidden="true" />
      {text} {connection === 'refused' && <a href="/login">Log in</a>}
      {connection === 'waiting' && (
        <button type="button" class="link" onClick={() => hub.retry()}>
          Try now
        </button>
      )}
    </p>
  );
}

function wordsFor({ missed, hadGap }: Reconnection): string {
  if (hadGap) return 'Reconnected, everything read again';
  return missed === 0 ? 'Reconnected, nothing was missed' : `Reconnected, caught up with ${missed}`;
}
